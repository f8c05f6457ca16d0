import type { Body } from '../../data/api.ts'

export type Project = Body<'getProject'>

/** How a project can be reached: one choice in the console for two fields of the API. */
export type Access = 'free' | 'public' | 'private_link' | 'personal'

export const accesses: { value: Access; label: string; about: string }[] = [
  { value: 'personal', label: 'Private', about: 'Members of the workspace see it.' },
  { value: 'private_link', label: 'Private, by link', about: 'Members see it, and anyone with an access link.' },
  { value: 'public', label: 'Public', about: 'Everybody on this service sees it in the marketplace.' },
  { value: 'free', label: 'Public and free', about: 'The same, marked as free of charge.' },
]

export function accessOf({ accessLevel, visibility }: Pick<Project, 'accessLevel' | 'visibility'>): Access {
  if (accessLevel !== 'private') return accessLevel
  return visibility === 'private_link' ? 'private_link' : 'personal'
}

export function accessFields(access: Access) {
  if (access === 'free' || access === 'public')
    return { public: true, accessLevel: access, visibility: 'public' } as const
  return { public: false, accessLevel: 'private', visibility: access } as const
}

export function accessLabel(project: Project): string {
  return accesses.find(({ value }) => value === accessOf(project))?.label ?? project.accessLevel
}

/** A save is whole: this is the project as it was read, ready to be changed. */
export function payloadOf(project: Project) {
  const { name, fullname, workspace, tags, labels, meta } = project
  return { name, fullname, workspace, ...accessFields(accessOf(project)), tags, labels, meta }
}
