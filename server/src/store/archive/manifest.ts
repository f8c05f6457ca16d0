import { createHash, timingSafeEqual } from 'node:crypto'
import { createReadStream, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import * as z from 'zod'

export const formatVersion = 1
export const manifestName = 'manifest.json'
/** The HMAC of the manifest, which holds the SHA-256 of every file. */
export const macName = 'manifest.mac'

const tableEntry = z.object({
  name: z.string(),
  file: z.string().regex(/^[^/\\]+\.jsonl$/),
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
  rows: z.number().int().nonnegative(),
  sha256: z.string(),
})

/** The description of an archive. Sequence values are text, because they may exceed the range of JSON numbers. */
const manifest = z.object({
  format: z.literal(formatVersion, 'The archive has a format that this version does not read.'),
  migration: z.string().optional(),
  tables: z.array(tableEntry),
  sequences: z.array(z.object({ name: z.string(), value: z.string(), isCalled: z.boolean() })),
})

export type Manifest = z.infer<typeof manifest>
export type TableEntry = z.infer<typeof tableEntry>
export type SequenceEntry = Manifest['sequences'][number]

/** Returns the HMAC of a text with the service's key. */
export type SignManifest = (text: string) => string

type ReadOptions = { sign?: SignManifest | undefined; unverifiedCommand?: string | undefined }

/** With `sign`, it refuses an archive that was changed or that a service with another key exported. */
export function readManifest(folder: string, { sign, unverifiedCommand }: ReadOptions = {}): Manifest {
  const text = readArchiveText(folder, manifestName, `${folder} is not an archive: it has no ${manifestName}.`)
  if (sign) requireSigned(folder, sign(text), unverifiedCommand)
  const read = manifest.safeParse(parseJson(text))
  if (read.success) return read.data
  throw new Error(`${join(folder, manifestName)} cannot be used: ${read.error.issues[0]?.message}`)
}

function requireSigned(folder: string, expected: string, unverifiedCommand: string | undefined): void {
  const advice = unverifiedCommand === undefined ? '' : ` ${howToTrust(unverifiedCommand)}`
  const unsigned = `The archive is not signed: it has no ${macName}.${advice}`
  const given = Buffer.from(readArchiveText(folder, macName, unsigned).trim())
  if (given.length === expected.length && timingSafeEqual(given, Buffer.from(expected))) return
  throw new Error(`The archive was changed, or was exported with another key.${advice}`)
}

export function howToTrust(unverifiedCommand: string): string {
  return `If you trust it all the same, run: ${unverifiedCommand}`
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function readArchiveText(folder: string, name: string, whenMissing: string): string {
  try {
    return readFileSync(join(folder, name), 'utf8')
  } catch (cause) {
    throw new Error(whenMissing, { cause })
  }
}

/** Checks every file before the first row is written. */
export async function requireSums(folder: string, tables: TableEntry[]): Promise<void> {
  for (const { file, sha256 } of tables) {
    if ((await sumOf(join(folder, file), file)) !== sha256)
      throw new Error(`The archive is damaged: ${file} is not what was exported.`)
  }
}

async function sumOf(path: string, file: string): Promise<string> {
  const hash = createHash('sha256')
  try {
    await pipeline(createReadStream(path), hash)
  } catch (cause) {
    const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT'
    throw new Error(`The archive is incomplete: ${file} ${isMissing ? 'is missing' : 'cannot be read'}.`, { cause })
  }
  return hash.digest('hex')
}
