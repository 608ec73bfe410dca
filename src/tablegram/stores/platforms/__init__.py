"""The platforms and forms behind the port of `stores`, one module or folder each; `opening` lists them."""
