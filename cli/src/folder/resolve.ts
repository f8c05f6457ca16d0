import { dirname, join } from 'node:path'
import type { DefinitionKind } from '@tocsin/contract'
import { readInside } from './files.ts'
import { type ParsedFile, parseFile } from './parse-file.ts'
import { isRecord, type Path } from './paths.ts'

/** A part of a payload that another file holds. */
export type Include = { path: Path; file: string }
export type VariableUse = { path: Path; name: string }
export type Resolved = {
  payload: unknown
  includes: Include[]
  variables: VariableUse[]
  problems: { path: Path; message: string }[]
}

const scriptFields = new Set(['source', 'rawSource', 'humanSource', 'raw', 'human', 'runIf', 'transform', 'activation'])
const documentFields = new Set(['abiFragment', 'idl'])

/** True where a trigger has JavaScript, an ABI or an IDL. Elsewhere `{file: …}` is a value like any other. */
function mayInclude(kind: DefinitionKind, path: Path): boolean {
  const [first, second] = path
  if (kind !== 'trigger' || second === 'testInput') return false
  const field = String(path.at(-1))
  if (first === 'transform' || first === 'activation') return scriptFields.has(field)
  if (first === 'providers') return scriptFields.has(field) || documentFields.has(field)
  return (first === 'triggerSpec' || first === 'sourceBindings') && documentFields.has(field)
}

/** The name of the file that stands in place of a value, if one does. */
export function includedFile(kind: DefinitionKind, path: Path, value: unknown): string | undefined {
  const isReference = mayInclude(kind, path) && isRecord(value) && Object.keys(value).length === 1
  return isReference && typeof value.file === 'string' ? value.file : undefined
}

/** Puts the contents of files and variables into the payload of a file. */
export function resolvePayload(
  root: string,
  kind: DefinitionKind,
  parsed: ParsedFile,
  env: Env,
  isLenient = false,
): Resolved {
  const found: Resolved = { payload: undefined, includes: [], variables: [], problems: [] }
  const resolveAt = (value: unknown, path: Path): unknown => {
    if (typeof value === 'string') return fillIn(value, path)
    const name = includedFile(kind, path, value)
    if (name !== undefined) return include(name, path)
    if (Array.isArray(value)) return value.map((each, index) => resolveAt(each, [...path, index]))
    if (!isRecord(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, resolveAt(each, [...path, key])]))
  }
  const fillIn = (text: string, path: Path): string => {
    const filled = fillVariables(text, env)
    found.variables.push(...filled.names.map((name) => ({ path, name })))
    if (!isLenient) found.problems.push(...filled.problems.map((message) => ({ path, message })))
    return filled.text
  }
  const include = (name: string, path: Path): unknown => {
    const read = readInside(root, join(dirname(parsed.file), name))
    if ('problem' in read) {
      found.problems.push({ path, message: read.problem })
      return undefined
    }
    found.includes.push({ path, file: read.file })
    if (!documentFields.has(String(path.at(-1))) || !read.file.endsWith('.json')) return read.text
    const json = parseFile(read.file, read.text)
    if ('parsed' in json) return json.parsed.value
    const places = json.problems.map(({ file, line, column, message }) => `${file}:${line}:${column} ${message}`)
    found.problems.push(...places.map((message) => ({ path, message })))
    return undefined
  }
  found.payload = resolveAt(parsed.value, [])
  return found
}

/** `${env:NAME}` in a text stands for a variable of the environment. `$${env:NAME}` is the text itself. */
const pattern = /\$?\$\{env:([^{}]*)\}/g
const isName = /^[A-Za-z_][A-Za-z0-9_]*$/

export type Env = Readonly<Record<string, string | undefined>>
export type Filled = { text: string; names: string[]; problems: string[] }

/** Fills in the variables of a text. An empty variable counts as missing: CI sets a secret that does not exist to ''. */
function fillVariables(text: string, env: Env): Filled {
  const names: string[] = []
  const problems: string[] = []
  const filled = text.replace(pattern, (found: string, name: string) => {
    if (found.startsWith('$$')) return found.slice(1)
    if (!isName.test(name)) {
      problems.push(`"${found}" does not name a variable: write \${env:NAME}`)
      return found
    }
    names.push(name)
    const value = env[name]
    if (!value) problems.push(`the variable ${name} is not set`)
    return value || found
  })
  return { text: filled, names, problems }
}

export function hasVariables(text: string): boolean {
  return [...text.matchAll(pattern)].some(([found]) => !found.startsWith('$$'))
}

/** The text as a file must write it, so that no part of it is taken for a variable. */
export function escapeVariables(text: string): string {
  return text.replace(/\$\{env:/g, '$$${env:')
}

export function variable(name: string): string {
  return `\${env:${name}}`
}
