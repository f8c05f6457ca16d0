import { createHash } from 'node:crypto'
import { createReadStream, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import * as z from 'zod'

export const formatVersion = 1
export const manifestName = 'manifest.json'

const tableEntry = z.object({
  name: z.string(),
  file: z.string().regex(/^[^/\\]+\.jsonl$/),
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
  rows: z.number().int().nonnegative(),
  sha256: z.string(),
})

/** What an archive says of itself; sequence values are text, for they may exceed what a JSON number holds. */
const manifest = z.object({
  format: z.literal(formatVersion, 'The archive has a format that this version does not read.'),
  migration: z.string().optional(),
  tables: z.array(tableEntry),
  sequences: z.array(z.object({ name: z.string(), value: z.string(), isCalled: z.boolean() })),
})

export type Manifest = z.infer<typeof manifest>
export type TableEntry = z.infer<typeof tableEntry>
export type SequenceEntry = Manifest['sequences'][number]

export function readManifest(folder: string): Manifest {
  const read = manifest.safeParse(JSON.parse(readManifestText(folder)))
  if (read.success) return read.data
  throw new Error(`${join(folder, manifestName)} cannot be used: ${read.error.issues[0]?.message}`)
}

function readManifestText(folder: string): string {
  try {
    return readFileSync(join(folder, manifestName), 'utf8')
  } catch (cause) {
    throw new Error(`${folder} is not an archive: it holds no ${manifestName}.`, { cause })
  }
}

/** Every file is checked before the first row is written. */
export async function requireSums(folder: string, tables: TableEntry[]): Promise<void> {
  for (const { file, sha256 } of tables) {
    const hash = createHash('sha256')
    await pipeline(createReadStream(join(folder, file)), hash)
    if (hash.digest('hex') !== sha256) throw new Error(`The archive is damaged: ${file} is not what was exported.`)
  }
}
