import { linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { writingDataFolder } from '../core/data-folder.ts'
import { identify, isRunning, type ProcessIdentity } from './process-identity.ts'

export type DataFolderLock = { release(): void }

export class DataFolderInUse extends Error {
  constructor(dataDir: string, pid: number) {
    super(
      `The data folder ${dataDir} is in use by another service (process ${pid}). ` +
        'Stop that one first, or give this one its own DATA_DIR.',
    )
  }
}

/** A service that was just told to end, or killed, may take a moment to be gone. */
const graceMs = 1000
const pauseMs = 50

/**
 * Makes this process the only service on a data folder, until it releases it or dies.
 *
 * Claims are numbered files that name a process; the newest one counts. Whoever finds it released, or its process
 * dead, makes the next number, and a link can be made only once: two that start together, or find the same dead
 * holder, never both win. Nothing is ever unlocked by deleting, so nobody can delete a claim that was just made.
 */
export async function lockDataFolder(dataDir: string, folder: string): Promise<DataFolderLock> {
  writingDataFolder(dataDir, () => mkdirSync(folder, { recursive: true, mode: 0o700 }))
  for (const deadline = performance.now() + graceMs; ; await sleep(pauseMs)) {
    const newest = Math.max(0, ...claimNumbers(folder))
    const holder = newest > 0 ? readClaim(claimPath(folder, newest)) : undefined
    if (holder && isRunning(holder)) {
      if (performance.now() < deadline) continue
      throw new DataFolderInUse(dataDir, holder.pid)
    }
    const mine = newest + 1
    if (!writingDataFolder(dataDir, () => makeClaim(folder, mine))) continue
    forgetOldClaims(folder, mine)
    return { release: () => writeReleased(folder, mine) }
  }
}

function claimNumbers(folder: string): number[] {
  return readdirSync(folder).map(Number).filter(Number.isInteger)
}

function claimPath(folder: string, number: number): string {
  return join(folder, String(number))
}

/** The holder, or undefined when it was released or overtaken meanwhile. */
function readClaim(path: string): ProcessIdentity | undefined {
  try {
    const [pid, started] = readFileSync(path, 'utf8').split('\n')
    return Number(pid) > 0 ? { pid: Number(pid), started: started || undefined } : undefined
  } catch {
    return undefined
  }
}

/** A link appears with its content or not at all, so a claim is never read half written. */
function makeClaim(folder: string, number: number): boolean {
  const draft = writeDraft(folder, `${process.pid}\n${identify(process.pid).started ?? ''}\n`)
  try {
    linkSync(draft, claimPath(folder, number))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return Math.max(...claimNumbers(folder)) === number
}

/** Where the disk is full nothing can be written; then the claim ends with this process, which is about to end. */
function writeReleased(folder: string, number: number): void {
  try {
    renameSync(writeDraft(folder, 'released\n'), claimPath(folder, number))
  } catch {}
}

let drafts = 0
function writeDraft(folder: string, content: string): string {
  const draft = join(folder, `draft-${process.pid}-${drafts++}`)
  writeFileSync(draft, content, { mode: 0o600 })
  return draft
}

/** A few stay, so that a listing made while claims come and go never finds none. */
function forgetOldClaims(folder: string, newest: number): void {
  for (const number of claimNumbers(folder)) {
    if (number < newest - 5) rmSync(claimPath(folder, number), { force: true })
  }
}
