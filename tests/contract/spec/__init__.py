"""The product's specification, sentence by sentence, over plain HTTP."""
