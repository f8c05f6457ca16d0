import type { ProjectMeta, TriggerDefinition } from '../../store/core/tables.ts'
import type { Place } from './conflicts.ts'

type Fields = Record<string, unknown>
/** The streams that get new names, and the address lists that are copied. */
type Renamed = { streams: readonly string[]; lists?: readonly { from: string; to: string }[] }

/** Replaces old names with new ones inside stored values. Pure: it reads and writes no rows. */
export type Renaming = {
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
export function makeRenaming(source: Place, target: Place, { streams, lists = [] }: Renamed): Renaming {
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
