import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Runs the work while no other process runs work under the same folder.
 *
 * Claims are numbered files that name a process; the newest one counts. A process takes over the claim of a dead holder
 * by creating the next number. Only one process can create it, so two that find the same dead holder never both win.
 */
export async function withLock(folder, work) {
  mkdirSync(folder, { recursive: true })
  const claim = await waitForClaim(folder)
  try {
    return await work()
  } finally {
    writeFileSync(claim, 'done')
  }
}

async function waitForClaim(folder) {
  for (let waits = 0; ; waits++) {
    const claim = takeClaim(folder)
    if (claim) return claim
    if (waits === 10) console.error('Waiting for another process that installs into this folder')
    await sleep(200)
  }
}

function takeClaim(folder) {
  const newest = Math.max(0, ...claimNumbers(folder))
  if (newest > 0 && isHeld(join(folder, String(newest)))) return undefined
  const claim = join(folder, String(newest + 1))
  if (!createWhole(claim, folder)) return undefined
  // A few claims stay, so that a listing never comes back empty while claims are added and removed.
  for (const number of claimNumbers(folder)) {
    if (number < newest - 5) rmSync(join(folder, String(number)), { force: true })
  }
  return claim
}

/** A hard link appears with its content or not at all. */
function createWhole(claim, folder) {
  const draft = join(folder, `draft-${process.pid}`)
  writeFileSync(draft, `${process.pid} ${startTime(process.pid)}`)
  try {
    linkSync(draft, claim)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

function claimNumbers(folder) {
  return readdirSync(folder).map(Number).filter(Number.isInteger)
}

function isHeld(claim) {
  const [pid, started] = readFileSync(claim, 'utf8').split(' ')
  return Number(pid) > 0 && isAlive(Number(pid)) && startTime(pid) === started
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** The start time of a process, if the system reports it: it distinguishes a process from a later one with the same pid. */
function startTime(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ')[19]
  } catch {
    return 'unknown'
  }
}
