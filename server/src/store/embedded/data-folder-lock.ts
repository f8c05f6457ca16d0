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

/** A service that was told to stop or was killed may need a moment to end. */
const graceMs = 1000
const pauseMs = 50

/**
 * Makes this process the only service on a data folder, until it releases it or dies.
 *
 * Claims are numbered files that name a process; the newest one counts. A process that finds it released, or finds its
 * process dead, creates the next number as a hard link. A link can be created only once, so of two processes that start
 * together only one wins. Claims are never unlocked by deletion, so no process can delete a claim that was just made.
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
    removeOldClaims(folder, mine)
    return { release: () => writeReleased(folder, mine) }
  }
}

function claimNumbers(folder: string): number[] {
  return readdirSync(folder).map(Number).filter(Number.isInteger)
}

function claimPath(folder: string, number: number): string {
  return join(folder, String(number))
}

/** The holder, or undefined when the claim was released or replaced meanwhile. */
function readClaim(path: string): ProcessIdentity | undefined {
  try {
    const [pid, started] = readFileSync(path, 'utf8').split('\n')
    return Number(pid) > 0 ? { pid: Number(pid), started: started || undefined } : undefined
  } catch {
    return undefined
  }
}

/** A link appears with its whole content, so a claim is never read half written. */
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

/** When the disk is full, nothing can be written. The claim then ends with this process, which is about to end. */
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

/** Keeps a few claims, so that a listing made while claims change never finds none. */
function removeOldClaims(folder: string, newest: number): void {
  for (const number of claimNumbers(folder)) {
    if (number < newest - 5) rmSync(claimPath(folder, number), { force: true })
  }
}
