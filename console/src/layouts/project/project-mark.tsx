/// <reference types="vite/client" />
import { Picture } from '../../components/picture.tsx'
import { networkIcon } from '../watch/network-icons.ts'
import type { Project } from './access.ts'

type Marked = Pick<Project, 'workspace' | 'name' | 'meta'>

/** Marks that come with the console, by the names of the projects that come with the service. */
const files: Readonly<Record<string, string>> = import.meta.glob('./marks/*.svg', {
  eager: true,
  query: '?url',
  import: 'default',
})

/** The uploaded icon of a project, else the mark that comes with the console; undefined if there is none. */
export function markOf({ workspace, name, meta }: Marked): string | undefined {
  if (meta.icon !== undefined || workspace !== 'common') return meta.icon
  return files[`./marks/${name}.svg`] ?? networkIcon(name.split('-')[0] ?? '')
}

export function ProjectMark({ project, size }: { project: Marked; size?: number }) {
  return <Picture url={markOf(project)} name={project.meta.title} {...(size !== undefined && { size })} />
}
