// What can go wrong with a call.

export interface FieldError {
  field: string;
  code: string;
  detail: string;
}

export interface Problem {
  code?: string;
  title?: string;
  detail?: string;
  errors?: FieldError[];
  request_id?: string;
  [name: string]: unknown;
}

/** The root of them all. */
export class TablegramError extends Error {
  override name = "TablegramError";
}

/** The server said no. `code` is stable; `detail` says what to do; `errors` names each field that is wrong. */
export class ApiError extends TablegramError {
  override name = "ApiError";
  readonly code: string;
  readonly detail: string;
  readonly errors: FieldError[];
  readonly requestId: string;

  constructor(readonly status: number, readonly problem: Problem) {
    super(`${status} ${problem.code ?? ""}: ${problem.detail ?? problem.title ?? ""}`);
    this.code = problem.code ?? "";
    this.detail = problem.detail ?? problem.title ?? "";
    this.errors = problem.errors ?? [];
    this.requestId = problem.request_id ?? "";
  }
}

/** No try got an answer. What was asked for may or may not have happened. */
export class NoAnswer extends TablegramError {
  override name = "NoAnswer";
}

/** A webhook that was not signed with the secret, or too long ago. */
export class WrongSignature extends TablegramError {
  override name = "WrongSignature";
}
