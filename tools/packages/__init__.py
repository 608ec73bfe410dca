"""Client libraries from the OpenAPI document: what every call takes and answers is written by `make packages`.

What is the same for all calls (retries, idempotency keys, pages, errors, signatures of webhooks) is written by hand and
stands in `clients/`; the rest would be wrong with the next change of the API, and is never kept in the repository.
"""
