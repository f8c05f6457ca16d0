/** In a file of its own, without schemas: the console reads it on its first page. */

/** The verbs that the audit log records, by kind. An action is `kind.verb`. */
const verbs = {
  workspace: ['save'],
  member: ['join', 'save', 'remove'],
  // By the operator, with `npm run account`.
  account: ['token', 'password-link', 'end-sessions', 'remove-second-factor'],
  invitation: ['create', 'revoke'],
  project: ['save', 'delete'],
  'access-link': ['create', 'revoke'],
  image: ['upload', 'delete'],
  addon: ['save'],
  secret: ['save', 'delete'],
  transfer: ['request', 'accept', 'reject', 'cancel'],
  template: ['save', 'delete'],
  trigger: ['save', 'patch', 'delete', 'reset'],
  draft: ['save', 'delete'],
  resource: ['save', 'delete', 'setup', 'confirm'],
  'setup-session': ['create', 'cancel'],
  source: ['save', 'delete', 'restart', 'reset-lag'],
  'address-list': ['save', 'delete'],
  address: ['save', 'delete'],
  subscription: ['save', 'delete', 'pause', 'resume'],
  alert: ['replay', 'resend'],
} as const

type Verbs = typeof verbs
export type AuditKind = keyof Verbs
export type AuditAction = { [Kind in AuditKind]: `${Kind}.${Verbs[Kind][number]}` }[AuditKind]

/** All actions, in the order of the table. */
export const auditActions = Object.entries(verbs).flatMap(([kind, all]) =>
  all.map((verb) => `${kind}.${verb}`),
) as AuditAction[]
