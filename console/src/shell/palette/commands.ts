import type { LinkProps } from '@tanstack/react-router'
import { type Icon, IconPlus, IconWorkspace } from '../../components/icons.tsx'
import { allEntries } from '../navigation.ts'

/** One line of the palette: a place to go to. */
export type Command = {
  id: string
  group: string
  title: string
  /** The name of the thing, or what it belongs to. */
  hint?: string | undefined
  icon: Icon
  link: Pick<LinkProps, 'to' | 'params' | 'search'>
  /** Set if the command changes the current workspace. */
  workspace?: string
}

/** Pages and actions of a workspace, which need no search. */
export function fixedCommands(workspace: string | undefined): Command[] {
  const pages = allEntries.flatMap(({ title, icon, link, isGlobal, key }) =>
    workspace === undefined && !isGlobal
      ? []
      : [{ id: `page ${title}`, group: 'Pages', title, icon, hint: `g ${key}`, link: link(workspace ?? '') }],
  )
  return workspace === undefined ? pages : [...pages, ...actionsOf(workspace)]
}

function actionsOf(workspace: string): Command[] {
  const params = { workspace }
  const actions: [string, Pick<LinkProps, 'to' | 'params'>][] = [
    ['Watch something', { to: '/w/$workspace/watch', params }],
    ['Create trigger', { to: '/w/$workspace/triggers/new', params }],
    ['Create subscription', { to: '/w/$workspace/subscriptions/new', params }],
    ['Create destination', { to: '/w/$workspace/resources/new', params }],
    ['Create project', { to: '/w/$workspace/projects/new', params }],
    ['Create source', { to: '/w/$workspace/sources/new', params }],
    ['First steps', { to: '/first-steps' }],
    ['Access tokens', { to: '/account/tokens' }],
  ]
  return actions.map(([title, link]) => ({ id: `action ${title}`, group: 'Actions', title, icon: IconPlus, link }))
}

export function workspaceCommands(all: { fullname: string; meta: { title?: string | undefined } }[]): Command[] {
  return all.map(({ fullname, meta }) => ({
    id: `workspace ${fullname}`,
    group: 'Workspaces',
    title: meta.title ?? fullname,
    hint: fullname,
    icon: IconWorkspace,
    link: { to: '/w/$workspace/home', params: { workspace: fullname } },
    workspace: fullname,
  }))
}

/** The commands that contain every word of the query, best first: a title that starts with it, then the rest. */
export function findCommands(commands: Command[], query: string, max: number): Command[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const found = commands.filter(({ title, hint = '', group }) => {
    const text = `${title} ${hint} ${group}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  const startsWithQuery = ({ title }: Command) => title.toLowerCase().startsWith(words[0] ?? '')
  const sorted = [...found.filter(startsWithQuery), ...found.filter((one) => !startsWithQuery(one))].slice(0, max)
  // Groups stay together, in the order of their best command.
  return [...new Set(sorted.map(({ group }) => group))].flatMap((name) => sorted.filter(({ group }) => group === name))
}
