import { newToken } from '../../store/core/secret-box.ts'
import type { ProjectMeta, TriggerDefinition } from '../../store/core/tables.ts'
import type { Store } from '../../store/index.ts'
import type { ProjectRow } from '../../store/projects/projects.ts'
import type { OpenDraft } from '../../store/projects/renames.ts'
import { notFound } from '../refusal.ts'
import type { Place } from './checks.ts'
import type { Plan } from './plan.ts'

export type Writes = Record<
  'projects' | 'triggers' | 'drafts' | 'resources' | 'templates' | 'listeners' | 'aliases',
  number
>

/** Moves the project to its new workspace and rewrites every name that changes. Ids and links stay. */
export async function applyPlan(store: Store, project: ProjectRow, plan: Plan, now: Date): Promise<Writes> {
  const owner = await requireOwner(store, plan.target.workspace)
  const drafts = await store.renames.lockDrafts(project.id)
  const names = [...plan.changes.triggers.map((move) => move.from), ...drafts.map((draft) => draft.fullname)]
  const streams = names.flatMap((name) => [name, `${name}.events`])
  const listMoves = plan.changes.addressLists ?? []
  for (const { from, to } of listMoves)
    await store.listMoves.copy(from, { fullname: to, workspaceId: owner.workspaceId }, now)
  const renaming = makeRenaming(plan.source, plan.target, { streams, lists: listMoves })
  const aliases = await store.renames.leaveAliases(project.id, now)
  const to = { ...plan.target, meta: renaming.meta(project.meta) }
  await store.renames.moveProject(project.id, owner, to, now)
  const triggers = await store.renames.renameTriggers(project.id, plan.target.fullname, now)
  const resources = await store.renames.moveResources(project.id, owner, now)
  await store.stacks.release(project.id)
  await replaceTokens(store, project.id, now)
  await store.renames.dropAliases(project.id)
  await rewriteDrafts(store, drafts, renaming)
  const listeners = await rewriteDefinitions(store, project.id, renaming, streams, now)
  const templates = await rewriteRules(store, project.id, renaming, plan.source.fullname, now)
  return { projects: 1, triggers, drafts: drafts.length, resources, templates, listeners, aliases }
}

/** Replaces tokens that the former owners know, so that they cannot set up the new owners' destinations. */
async function replaceTokens(store: Store, projectId: string, now: Date): Promise<void> {
  for (const id of await store.renames.listTokenHolders(projectId)) {
    await store.resources.replaceToken(id, newToken('resource'))
    await store.setupSessions.endActive(id, 'cancelled', now)
  }
}

async function requireOwner(store: Store, fullname: string): Promise<{ workspaceId: string; workspace: string }> {
  const row = await store.workspaces.find(fullname)
  if (!row) throw notFound(`There is no workspace "${fullname}".`)
  return { workspaceId: row.id, workspace: row.fullname }
}

async function rewriteDrafts(store: Store, drafts: OpenDraft[], renaming: Renaming): Promise<void> {
  for (const { id, fullname, content } of drafts)
    await store.renames.setDraft({
      id,
      fullname: renaming.under(fullname),
      content: renaming.lists(renaming.definition(content)),
    })
}

/** Returns how many triggers of other projects listen to a moved one. */
async function rewriteDefinitions(
  store: Store,
  projectId: string,
  renaming: Renaming,
  streams: string[],
  now: Date,
): Promise<number> {
  const rows = await store.renames.lockDefinitions(projectId, streams)
  for (const { id, project_id, definition } of rows) {
    const renamed = renaming.definition(definition)
    await store.renames.setDefinition(id, project_id === projectId ? renaming.lists(renamed) : renamed, now)
  }
  return rows.filter((row) => row.project_id !== projectId).length
}

/** The project's own templates show its name, so they count as changed even if no rule changes. */
async function rewriteRules(
  store: Store,
  projectId: string,
  renaming: Renaming,
  project: string,
  now: Date,
): Promise<number> {
  const rows = await store.renames.lockRules(projectId, project)
  const concerned = rows.filter((row) => row.project_id === projectId || renaming.concerns(row.rules))
  for (const { id, project_id, rules } of concerned) {
    const renamed = renaming.rules(rules)
    await store.renames.setRules(id, project_id === projectId ? renamed.map(renaming.lists) : renamed, now)
  }
  return concerned.length
}

type Fields = Record<string, unknown>
/** The streams that get new names, and the address lists that are copied. */
type Renamed = { streams: readonly string[]; lists?: readonly { from: string; to: string }[] }

/** Replaces old names with new ones inside stored values. Pure: it reads and writes no rows. */
type Renaming = {
  /** The new name of an entity below the project's name. */
  under(fullname: string): string
  meta(meta: ProjectMeta): ProjectMeta
  definition<D extends TriggerDefinition>(definition: D): D
  rules(rules: unknown[]): unknown[]
  concerns(rules: unknown[]): boolean
  /** The same definition or rule, whose conditions name the copied address lists. Only for what moves with the project. */
  lists<T>(owner: T): T
}

/**
 * In rules every name below the project is replaced, because rules name triggers only, and also triggers that do not
 * exist yet. `backend.trigger` may also name the stream of a source, which can look the same, so only the given streams
 * are replaced there.
 */
function makeRenaming(source: Place, target: Place, { streams, lists = [] }: Renamed): Renaming {
  const listNames = new Map(lists.map(({ from, to }) => [from, to]))
  const moved = new Set(streams)
  const under = (name: string) => `${target.fullname}${name.slice(source.fullname.length)}`
  const isStream = (name: unknown): name is string => typeof name === 'string' && moved.has(name)
  const isRuleOfMoved = (rule: unknown): rule is Fields & { trigger: string } =>
    isFields(rule) && typeof rule.trigger === 'string' && rule.trigger.startsWith(`${source.fullname}.`)

  const [from, to] = [imagesOf(source), imagesOf(target)]
  const pictures = <T extends Fields>(fields: T): T => ({
    ...fields,
    ...Object.fromEntries(pictureUrls(fields, from).map(([key, url]) => [key, to + url.slice(from.length)])),
  })

  return {
    under,
    meta: pictures,
    definition: ({ ...definition }) => {
      const { backend, defaults } = definition
      if (isStream(backend.trigger)) definition.backend = { ...backend, trigger: under(backend.trigger) }
      if (defaults) definition.defaults = pictures(defaults)
      return definition
    },
    rules: (rules) => rules.map((rule) => (isRuleOfMoved(rule) ? { ...rule, trigger: under(rule.trigger) } : rule)),
    concerns: (rules) => rules.some(isRuleOfMoved),
    lists: (owner) =>
      listNames.size > 0 && isFields(owner) && owner.conditions
        ? { ...owner, conditions: renameLists(owner.conditions, listNames) }
        : owner,
  }
}

/** Replaces the names in `{list: fullname}`. */
function renameLists(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((inner) => renameLists(inner, names))
  if (!isFields(value)) return value
  const list = typeof value.list === 'string' ? names.get(value.list) : undefined
  if (list !== undefined) return { ...value, list }
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, renameLists(inner, names)]))
}

function imagesOf(place: Place): string {
  return `/api/projects/${place.fullname}/images/`
}

function pictureUrls(fields: Fields, prefix: string): [string, string][] {
  return ['icon', 'avatar', 'cover'].flatMap((key): [string, string][] => {
    const url = fields[key]
    return typeof url === 'string' && url.startsWith(prefix) ? [[key, url]] : []
  })
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
