import type { DefinitionKind } from '@tocsin/contract'
import { checkPayload } from '../../folder/check-entity.ts'
import { isRecord, pathText } from '../../folder/paths.ts'
import { type ForeignFile, readForeign } from '../foreign-files.ts'
import type { Importer } from '../importer.ts'
import { nameFrom } from '../names.ts'
import { Notes } from '../notes.ts'

type Payload = Record<string, unknown>

/** Imports the YAML files of a Web3alert project: its payloads are those of our API, in the workspace of the stack. */
export const importWeb3alert: Importer = async (path, { workspace }) => {
  const notes = new Notes()
  for (const file of readForeign(path))
    for (const payload of payloadsIn(file)) importOne(file.path, payload, workspace, notes)
  return notes.imported()
}

/** A file holds one payload or a list of them. */
function payloadsIn({ value }: ForeignFile): unknown[] {
  return Array.isArray(value) ? value : [value]
}

function importOne(path: string, payload: unknown, workspace: string, notes: Notes): void {
  const kind = isRecord(payload) ? kindOf(payload) : undefined
  if (!isRecord(payload) || !kind) {
    notes.impossible(path, 'is neither a project nor a trigger nor a template')
    return
  }
  const differences: string[] = []
  const moved = moveTo(workspace, payload, differences)
  const named = kind === 'template' ? { key: nameFrom(path.replace(/\.\w+$/, '')), ...moved } : moved
  const issues = checkPayload(kind, named, workspace)
  const unknown = issues.filter(({ message }) => message === 'is not a known field')
  const [wrong] = issues.filter((issue) => !unknown.includes(issue))
  const definition = `${kind} ${String(payload.fullname ?? path)}`
  if (wrong) {
    notes.impossible(definition, `${pathText(wrong.path)} ${wrong.message}`)
    return
  }
  for (const { path } of unknown) differences.push(`the field ${pathText(path)} is not known and was left out`)
  notes.add(
    kind,
    without(
      named,
      unknown.map(({ path }) => path),
    ),
  )
  notes.done(definition, differences)
}

function kindOf(payload: Payload): DefinitionKind | undefined {
  if ('triggerSpec' in payload || 'backend' in payload) return 'trigger'
  if ('rules' in payload && 'topics' in payload) return 'template'
  return 'fullname' in payload && 'meta' in payload ? 'project' : undefined
}

/** Names begin with the workspace, so they change with it. */
function moveTo(workspace: string, payload: Payload, differences: string[]): Payload {
  const owner = String(payload.workspace ?? String(payload.project ?? payload.fullname ?? '').split('.')[0])
  if (owner === workspace || owner === '') return payload
  differences.push(`moved from the workspace ${owner} to ${workspace}`)
  const rename = (value: unknown): unknown =>
    typeof value === 'string' && value.startsWith(`${owner}.`) ? `${workspace}${value.slice(owner.length)}` : value
  const fields = Object.entries(payload).map(([name, value]) => [name, nameFields.has(name) ? rename(value) : value])
  const renamed: Payload = { ...Object.fromEntries(fields), ...('workspace' in payload && { workspace }) }
  const { rules } = renamed
  if (!Array.isArray(rules)) return renamed
  const withTriggers = rules.map((rule) => (isRecord(rule) ? { ...rule, trigger: rename(rule.trigger) } : rule))
  return { ...renamed, rules: withTriggers }
}

const nameFields = new Set(['fullname', 'project'])

function without(payload: Payload, paths: readonly (readonly (string | number)[])[]): Payload {
  const copy: Payload = structuredClone(payload)
  for (const path of paths) {
    const holder = path.slice(0, -1).reduce<unknown>((at, key) => (isRecord(at) ? at[key] : undefined), copy)
    if (isRecord(holder)) delete holder[String(path.at(-1))]
  }
  return copy
}
