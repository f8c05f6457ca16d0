/** Workspaces: owners of projects, their members and the invite by which one joins. */
export * from './acl.ts'
export * from './avatar.ts'
export * from './delete.ts'
export * from './read.ts'
export * from './save.ts'
