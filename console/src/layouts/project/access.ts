import type { Answered } from '@tocsin/sdk'

export type Project = Answered<'getProject'>['body']

/** Who can see a project: one choice in the console for two fields of the API. */
export type Access = 'free' | 'public' | 'private_link' | 'personal'

export const accesses: { value: Access; label: string; about: string }[] = [
  { value: 'personal', label: 'Private', about: 'Only members of the workspace see it.' },
  { value: 'private_link', label: 'Private, by link', about: 'Members and anyone with an access link see it.' },
  { value: 'public', label: 'Public', about: 'Everyone on this service sees it in the marketplace.' },
  { value: 'free', label: 'Public and free', about: 'Public, and marked as free of charge.' },
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

/** The body of a PUT, which replaces the whole project. */
export function payloadOf(project: Project) {
  const { name, fullname, workspace, tags, labels, meta } = project
  return { name, fullname, workspace, ...accessFields(accessOf(project)), tags, labels, meta }
}
