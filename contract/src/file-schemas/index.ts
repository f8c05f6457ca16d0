/**
 * JSON Schemas of the files in the folder of a stack, for editors. They are made from the schemas of the payloads and
 * differ where files do: unknown fields are mistakes, JavaScript, ABIs and IDLs may be in files of their own, and
 * `${env:NAME}` stands for a text.
 */
import * as z from 'zod'
import { CustomSourceSave } from '../custom-sources.ts'
import { DefinitionTest, StackFile } from '../stack-files.ts'
import { definitionPayloads } from '../stacks.ts'
import { titles, words } from './words.ts'

const schemas = {
  ...definitionPayloads,
  source: CustomSourceSave.partial({ mode: true }),
  stack: StackFile,
  test: DefinitionTest,
} as const satisfies Record<keyof typeof titles, z.ZodType>

export type FileKind = keyof typeof schemas
export const fileKinds = Object.keys(schemas) as FileKind[]

type Json = Record<string, unknown>
/** The names of the properties from the file's root to a schema, after its kind. */
type Path = readonly string[]

const scriptFields = new Set(['source', 'rawSource', 'humanSource', 'raw', 'human', 'runIf', 'transform', 'activation'])
const documentFields = new Set(['abiFragment', 'idl'])

const file = {
  type: 'object',
  description: 'The content of another file.',
  properties: { file: { type: 'string', minLength: 1, description: words.file } },
  required: ['file'],
  additionalProperties: false,
}
const variable = {
  type: 'string',
  description: 'A text with a variable of the environment.',
  pattern: '\\$\\{env:[A-Za-z_][A-Za-z0-9_]*\\}',
}

export function fileSchema(kind: FileKind): Json {
  const made = z.toJSONSchema(schemas[kind], { io: 'input', unrepresentable: 'any' }) as Json
  const [title, description] = titles[kind]
  const { $schema, $defs, ...root } = forFiles(made, [kind])
  return { $schema, title, ...root, description, $defs: { ...($defs as Json), File: file, Variable: variable } }
}

/** The schema of a value in a file, made from the schema of the value in a payload. */
function forFiles(schema: Json, path: Path): Json {
  const changed = Object.fromEntries(Object.entries(schema).map(([word, value]) => [word, inside(word, value, path)]))
  if (isRecord(schema.properties) && schema.additionalProperties === undefined) changed.additionalProperties = false
  const isLimitedText = schema.type === 'string' && ['enum', 'pattern', 'format'].some((word) => word in schema)
  return isLimitedText ? { anyOf: [changed, { $ref: '#/$defs/Variable' }] } : changed
}

function inside(word: string, value: unknown, path: Path): unknown {
  if ((word === 'properties' || word === '$defs') && isRecord(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, schema]) => {
        if (word === '$defs') return [name, forFiles(schema as Json, [...path, name])]
        return [name, property(schema as Json, [...path, name])]
      }),
    )
  if (['anyOf', 'oneOf', 'allOf', 'prefixItems'].includes(word) && Array.isArray(value))
    return value.map((each: Json) => forFiles(each, path))
  return ['items', 'additionalProperties', 'not'].includes(word) && isRecord(value) ? forFiles(value, path) : value
}

function property(schema: Json, path: Path): Json {
  const changed = forFiles(schema, path)
  const description = describe(schema, path)
  return {
    ...(mayBeFile(path) ? { anyOf: [changed, { $ref: '#/$defs/File' }] } : changed),
    ...(description !== undefined && { description }),
  }
}

/** What a field is, and the limit that the payload's schema tells. */
function describe(schema: Json, path: Path): string | undefined {
  const [parent, name] = path.slice(-2)
  const word = words[`${parent}.${name}`] ?? words[name ?? '']
  const told = typeof schema.description === 'string' ? schema.description : undefined
  return word !== undefined && told !== undefined ? `${word} ${told}.` : (word ?? told)
}

/** True where a trigger has JavaScript, an ABI or an IDL. */
function mayBeFile([kind, first = '', ...rest]: Path): boolean {
  if (kind !== 'trigger' || rest[0] === 'testInput') return false
  const name = rest.at(-1) ?? first
  if (first === 'transform' || first === 'activation') return scriptFields.has(name)
  if (first === 'providers') return scriptFields.has(name) || documentFields.has(name)
  return (first === 'triggerSpec' || first === 'sourceBindings') && documentFields.has(name)
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
