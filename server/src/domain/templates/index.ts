/** Templates: what the subscription wizard of a project offers. The oldest template is the root. */

export * from './read.ts'
export * from './save.ts'
export * from './save.ts'
