/** Every error of the API: its code, its status and its default message. */
export const errorTable = {
  invalid_json: { status: 400, message: 'The body is not valid JSON.' },
  invalid_payload: { status: 400, message: 'The payload is not valid.' },
  invalid_query: { status: 400, message: 'The query is not valid.' },
  fullname_mismatch: { status: 400, message: 'The fullname in the path differs from the one in the payload.' },
  fullname_invalid: { status: 400, message: 'The fullname does not match its owner and name.' },
  immutable_field: { status: 400, message: 'This field cannot be changed.' },
  unknown_blueprint: { status: 400, message: 'There is no such blueprint.' },
  invalid_image: { status: 400, message: 'The image cannot be used.' },
  answer_too_large: { status: 400, message: 'The answer would be too large.' },
  access_level_conflict: { status: 400, message: 'accessLevel and visibility contradict each other.' },
  unauthenticated: { status: 401, message: 'Sign in first. Send a valid token as "Authorization: Bearer <token>".' },
  second_factor_required: { status: 401, message: 'Send a code of your authenticator app, or use your passkey.' },
  forbidden: { status: 403, message: 'Your role does not allow this.' },
  insufficient_scope: { status: 403, message: 'The token does not allow this.' },
  email_not_verified: { status: 403, message: 'Show first that your e-mail address is yours.' },
  reserved_name: { status: 403, message: 'This name is reserved.' },
  limit_reached: { status: 403, message: 'The limit set by the operator is reached.' },
  addon_required: { status: 403, message: 'This needs an add-on that the project does not have.' },
  not_found: { status: 404, message: 'It does not exist, or you may not see it.' },
  feature_unavailable: { status: 404, message: 'This feature is not available on this server.' },
  method_not_allowed: { status: 405, message: 'This path does not support that method.' },
  already_exists: { status: 409, message: 'It exists already.' },
  plan_changed: { status: 409, message: 'The plan has changed. Read the new plan.' },
  transfer_conflicts: { status: 409, message: 'The transfer has conflicts.' },
  transfer_blocked_by_addon: { status: 409, message: 'An add-on subscription of the project blocks the transfer.' },
  transfer_already_pending: { status: 409, message: 'A transfer of this project is already pending.' },
  request_not_pending: { status: 409, message: 'This transfer request is no longer pending.' },
  transfer_failed: { status: 409, message: 'The transfer could not be applied. The project is unchanged.' },
  in_progress: { status: 409, message: 'The first request with this Idempotency-Key is still running.' },
  idempotency_mismatch: { status: 409, message: 'This Idempotency-Key was used for a request with another body.' },
  reply_not_kept: {
    status: 409,
    message:
      'The request with this Idempotency-Key is done. Its reply was too large to be kept; nothing was done twice.',
  },
  session_not_active: { status: 409, message: 'This setup session is no longer active.' },
  project_not_private: { status: 409, message: 'Only private projects have access links.' },
  last_owner: { status: 409, message: 'A workspace needs at least one owner.' },
  workspace_not_empty: { status: 409, message: 'The workspace still owns projects or custom sources.' },
  duplicate_address: { status: 409, message: 'This address is already in your address book.' },
  duplicate_alias: { status: 409, message: 'This alias is already in your address book.' },
  in_use: { status: 409, message: 'It is still in use.' },
  duplicate_source: { status: 409, message: 'A public source of this network already exists.' },
  link_expired: { status: 410, message: 'This access link has expired.' },
  link_exhausted: { status: 410, message: 'This access link was used as often as it allows.' },
  link_revoked: { status: 410, message: 'This access link was revoked.' },
  precondition_failed: { status: 412, message: 'It has changed since you read it.' },
  payload_too_large: { status: 413, message: 'The body is too large.' },
  unsupported_media_type: { status: 415, message: 'Send the body as application/json.' },
  rate_limited: { status: 429, message: 'Too many requests. Try again later.' },
  internal: { status: 500, message: 'The service failed. The log has the request id.' },
  upstream_failed: { status: 502, message: 'A remote service failed.' },
  upstream_timeout: { status: 504, message: 'A remote service did not answer in time.' },
  unavailable: { status: 503, message: 'This is not available right now.' },
} as const

export type ErrorCode = keyof typeof errorTable

export type Issue = { path: string; message: string }

/** The body of every error response. */
export type ErrorBody = {
  error: { code: ErrorCode; message: string; details: Record<string, unknown>; requestId: string }
}
