"""What assistants may do with an account, by the Model Context Protocol: a small program in front of the API.

It has no way into the store. Each call is a request with an API key, so that the key's scopes hold here too.

    asking.py    requests to the API
    tools.py     what an assistant can ask for, in its words
    serving.py   the protocol, on standard input and output or over HTTP
"""
