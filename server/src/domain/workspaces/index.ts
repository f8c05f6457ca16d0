/** Workspaces: owners of projects, with members and an invite. */
export * from './acl.ts'
export * from './audit.ts'
export * from './avatar.ts'
export { createInvitation, deleteInvitation, listInvitations } from './invitations.ts'
export * from './read.ts'
export * from './save.ts'
export * from './save.ts'
export * from './summary.ts'
