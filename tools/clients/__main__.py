from tools.clients import main

main()
