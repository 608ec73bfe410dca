from tools.integrations import main

main()
