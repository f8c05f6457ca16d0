import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import * as tar from 'tar'
import { syncFolder } from '../core/data-folder.ts'
import { migrate } from '../core/migrate.ts'
import { DataFolderInUse, lockDataFolder } from '../embedded/data-folder-lock.ts'
import { startEmbeddedPostgres, stopLeftServer } from '../embedded/index.ts'
import { installJobs } from '../jobs/job-queue.ts'
import { exportArchive } from './export-archive.ts'
import { importArchive, readLines } from './import-archive.ts'
import { readManifest, type TableEntry } from './manifest.ts'
import type { ArchiveOptions } from './session.ts'
import { isMigratorTable } from './table.ts'

export type BackupOptions = ArchiveOptions & {
  /** Restores the backup into an empty store and compares it. The file appears only if they are equal. */
  check: boolean
}

const archiveName = 'archive'
const storeName = 'store'

/** Writes all data into one file, a compressed archive. It appears when it is complete and checked. */
export async function writeBackup(url: string, file: string, { check, ...options }: BackupOptions): Promise<void> {
  const target = resolve(file)
  if (existsSync(target)) throw new Error(`${target} is there already.`)
  mkdirSync(dirname(target), { recursive: true })
  await inTemporaryFolder(target, async (folder) => {
    const packed = join(folder, 'backup.tar.gz')
    await exportArchive(url, join(folder, archiveName), options)
    await tar.create({ file: packed, cwd: folder, gzip: true, portable: true, mode: 0o600 }, [archiveName])
    rmSync(join(folder, archiveName), { recursive: true })
    if (check) await checkBackup(packed, folder, options)
    options.signal?.throwIfAborted()
    renameSync(packed, target)
  })
  syncFolder(dirname(target))
}

/** Fills an empty store from a backup. */
export async function restoreBackup(url: string, file: string, options: ArchiveOptions): Promise<void> {
  await inTemporaryFolder(resolve(file), async (folder) => {
    const archive = await unpack(resolve(file), folder)
    await migrate(url)
    await installJobs(url)
    await importArchive(url, archive, options)
  })
}

async function checkBackup(packed: string, folder: string, options: ArchiveOptions): Promise<void> {
  const archive = await unpack(packed, folder)
  const restored = join(folder, 'restored')
  const { tables } = readManifest(archive, options)
  const quiet: ArchiveOptions = { ...options, log: () => {}, progress: undefined }
  const server = await startEmbeddedPostgres(join(folder, storeName))
  try {
    await migrate(server.url)
    await installJobs(server.url)
    await importArchive(server.url, archive, quiet)
    await exportArchive(server.url, restored, quiet)
  } finally {
    await server.stop()
  }
  const differing = await findDifferences(tables, archive, restored)
  if (differing.length > 0)
    throw new Error(`The backup was restored into an empty store, and these tables differ: ${differing.join(', ')}.`)
  options.log('Checked: the backup was restored into an empty store, and every table is the same.')
}

/** The tables whose rows differ. Each store has its own times of migrations. */
async function findDifferences(tables: TableEntry[], archive: string, restored: string): Promise<string[]> {
  const found = new Map(readManifest(restored).tables.map((table) => [table.name, table]))
  const differing: string[] = []
  for (const table of tables) {
    const other = found.get(table.name)
    const isSame = other && (other.sha256 === table.sha256 || (await haveSameRows([archive, table], [restored, other])))
    if (!isSame && !isMigratorTable(table.name)) differing.push(table.name)
  }
  return differing
}

/** The order of the rows does not count: PostgreSQL puts a row wherever a page has room for it. */
async function haveSameRows(...files: [folder: string, table: TableEntry][]): Promise<boolean> {
  const sums = await Promise.all(files.map(([folder, { file }]) => sumOfRows(join(folder, file))))
  return new Set(files.map(([, { rows }]) => rows)).size === 1 && new Set(sums).size === 1
}

/** The sum of the SHA-256 of each row, which is the same in every order. */
async function sumOfRows(path: string): Promise<bigint> {
  let sum = 0n
  for await (const line of readLines(path)) sum += BigInt(`0x${createHash('sha256').update(line).digest('hex')}`)
  return sum
}

async function unpack(file: string, folder: string): Promise<string> {
  try {
    await tar.extract({ file, cwd: folder, strict: true })
  } catch (cause) {
    throw new Error(`${file} is not a backup, or it is damaged.`, { cause })
  }
  return join(folder, archiveName)
}

/** Beside the file, so that its disk has the space and a rename suffices. Nobody else can read the folder. */
async function inTemporaryFolder(file: string, work: (folder: string) => Promise<void>): Promise<void> {
  await removeLeftovers(file)
  const folder = mkdtempSync(`${file}.partial-`)
  const lock = await lockDataFolder(folder, lockIn(folder))
  try {
    await work(folder)
  } finally {
    lock.release()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A command that was killed leaves its folder, and perhaps the PostgreSQL that checked the backup. */
async function removeLeftovers(file: string): Promise<void> {
  const prefix = `${basename(file)}.partial-`
  const names = existsSync(dirname(file)) ? readdirSync(dirname(file)) : []
  for (const name of names.filter((name) => name.startsWith(prefix))) {
    const folder = join(dirname(file), name)
    if (!existsSync(lockIn(folder)) || (await isInUse(folder))) continue
    await stopLeftServer(join(folder, storeName))
    rmSync(folder, { recursive: true, force: true })
  }
}

async function isInUse(folder: string): Promise<boolean> {
  try {
    await lockDataFolder(folder, lockIn(folder))
    return false
  } catch (error) {
    if (error instanceof DataFolderInUse) return true
    throw error
  }
}

function lockIn(folder: string): string {
  return join(folder, 'lock')
}
