import type { ErrorCode, Issue } from '@tocsin/contract'
import { ApiError, ConnectionError } from '@tocsin/sdk'

/** `title` says what failed, `text` gives details, `hint` says what to do. */
export type ErrorText = { title: string; text?: string; hint?: string; issues: Issue[]; requestId?: string | undefined }

const hints: Partial<Record<ErrorCode | 'unreadable', string>> = {
  forbidden: 'Ask an owner or admin of the workspace for a higher role.',
  invalid_image: 'Choose a smaller PNG, JPEG or WebP image.',
  addon_required: 'An owner of the project can add it.',
  transfer_conflicts: 'Choose another workspace or another name, then show the plan again.',
  request_not_pending: 'Reload the page to see the current status.',
  transfer_failed: 'Ask an owner of the project to send the request again.',
  session_not_active: 'Start the setup again.',
  project_not_private: 'Everyone can see this project already. Share its URL.',
  duplicate_address: 'Search the list: the address may have another alias.',
  duplicate_alias: 'Choose another alias.',
  duplicate_source: 'Use the existing source, or keep yours private.',
  not_found:
    'It may have been deleted or renamed, or you may not be a member. Check which account you are signed in with.',
  already_exists: 'Choose another name.',
  reserved_name: 'Choose another name.',
  limit_reached: 'Delete something you no longer need, or ask the operator of this service for a higher limit.',
  precondition_failed: 'Reload the page to see the newer version, then repeat your change.',
  payload_too_large: 'Send a smaller file or text.',
  rate_limited: 'Wait a moment, then try again.',
  last_owner: 'Make another member an owner first.',
  workspace_not_empty: 'Move or delete its projects and custom sources first.',
  plan_changed: 'Check the new plan and send the request again.',
  transfer_blocked_by_addon: 'Cancel the add-on subscription, or wait until it ends.',
  transfer_already_pending: 'Cancel the pending request first.',
  link_expired: 'Ask the person who sent you the link for a new one.',
  link_exhausted: 'Ask the person who sent you the link for a new one.',
  link_revoked: 'Ask the person who sent you the link for a new one.',
  feature_unavailable: 'The operator of this service can turn it on.',
  internal: 'Try again. If the error continues, send the request id below to the operator.',
  upstream_failed: 'Try again in a moment.',
  upstream_timeout: 'Try again in a moment.',
  unavailable: 'Try again in a moment.',
}

/** True if a file of the console failed to load. Browsers and the bundler use different messages for this. */
export function isLoadFailure(error: unknown): boolean {
  return (
    error instanceof Error &&
    /preload CSS|dynamically imported module|importing a module script|module script failed/i.test(error.message)
  )
}

/** Describes any error for the user, with a next step where there is one. */
export function describeError(error: unknown): ErrorText {
  if (error instanceof ApiError) return describeRefusal(error)
  if (isLoadFailure(error))
    return {
      title: 'This page could not be loaded',
      text: 'Your connection may be down, or the service was updated.',
      hint: 'Check the connection and try again.',
      issues: [],
    }
  if (error instanceof ConnectionError)
    return {
      title: 'The service cannot be reached',
      text: 'Your connection may be down, or the service may be restarting.',
      hint: 'Check the connection and try again.',
      issues: [],
    }
  return { title: error instanceof Error ? error.message : 'An unexpected error occurred.', issues: issuesOf(error) }
}

/** The same in one line. */
export function describeErrorBriefly(error: unknown): string {
  const { title, text, hint } = describeError(error)
  return [title, text, hint].filter(Boolean).join(' ')
}

function describeRefusal(error: ApiError): ErrorText {
  const issues = issuesOf(error)
  const hint = hints[error.code]
  return {
    ...(error.status >= 500 ? { title: 'The service failed', text: error.message } : { title: error.message }),
    ...(hint !== undefined && { hint }),
    issues,
    requestId: error.status >= 500 ? error.requestId : undefined,
  }
}

/** An issue as a sentence that names the field: `meta.title`, `is required` → “Title is required”. */
export function issueSentence({ path, message }: Issue): string {
  const field = fieldName(path)
  if (field === '') return message
  return /^\p{Lu}/u.test(message) ? `${field}: ${message}` : `${field} ${message}`
}

/** The last name of a path in words. An index is shown counted from one. */
function fieldName(path: string): string {
  const names = path.split('.').filter((name) => name !== '')
  const last = names.findLastIndex((name) => !/^\d+$/.test(name))
  const words = names
    .slice(Math.max(0, last))
    .map((name) => (/^\d+$/.test(name) ? String(Number(name) + 1) : name.replaceAll(/([a-z])([A-Z])/g, '$1 $2')))
    .join(' ')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** An error that the console itself raises. Forms show each issue beside the field that its path names. */
export class FieldRefusal extends Error {
  readonly issues: Issue[]
  constructor(issues: Issue[]) {
    super(issues.map(issueSentence).join(' '))
    this.issues = issues
  }
}

/** The issues of a refused payload, by dotted path. */
export function issuesOf(error: unknown): Issue[] {
  if (error instanceof FieldRefusal) return error.issues
  if (!(error instanceof ApiError) || !Array.isArray(error.details?.issues)) return []
  return error.details.issues.filter(isIssue)
}

function isIssue(value: unknown): value is Issue {
  return typeof value === 'object' && value !== null && 'path' in value && 'message' in value
}
