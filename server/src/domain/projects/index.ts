/** Projects: marketplace integrations, who may see them, their links, pictures and add-on subscriptions. */
export * from './access-links.ts'
export * from './addons.ts'
export * from './create-capability.ts'
export * from './delete.ts'
export * from './images.ts'
export * from './open-link.ts'
export * from './read.ts'
export * from './save.ts'
