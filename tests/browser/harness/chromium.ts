/**
 * Finds a browser that starts: CHROMIUM_PATH only, if it is set; else a browser of the machine, the npm package for Linux on
 * x64, one that Playwright downloaded earlier, and last a new download by Playwright.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Browser, chromium } from 'playwright-core'
import { browserPaths } from './browser-paths.ts'

/** How to start a browser. Without a path, Playwright starts its own download. */
export type Candidate = { executablePath?: string; env?: Record<string, string>; args?: string[] }
export type FoundBrowser = { kind: 'found'; browser: Candidate } | { kind: 'missing'; reason: string }

const root = fileURLToPath(new URL('../../..', import.meta.url))
const args = [
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

/** Starts each candidate once, because an executable that exists may lack its libraries. */
export async function findBrowser(): Promise<FoundBrowser> {
  const refusals: string[] = []
  const named = process.env.CHROMIUM_PATH
  const searches = named ? [async () => [{ executablePath: named }]] : [ofTheMachine, fromNpm, ofPlaywright, download]
  for (const search of searches) {
    try {
      for (const candidate of await search()) {
        const refusal = await tryToStart(candidate)
        if (refusal === undefined) return { kind: 'found', browser: candidate }
        refusals.push(refusal)
      }
    } catch (error) {
      refusals.push(firstLine(error))
    }
  }
  return { kind: 'missing', reason: refusals.join('; ') }
}

export const howToGetABrowser =
  'Install Chrome, Chromium or Edge, or set CHROMIUM_PATH, or run "npx playwright-core install chromium".'

export function launchChromium({ executablePath, env = {}, args: more = [] }: Candidate): Promise<Browser> {
  return chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    headless: true,
    chromiumSandbox: false,
    args: [...args, ...more],
    env: { ...process.env, ...env },
    timeout: 90_000,
  })
}

async function tryToStart(candidate: Candidate): Promise<string | undefined> {
  try {
    const browser = await launchChromium(candidate)
    await browser.close()
    return undefined
  } catch (error) {
    return `${candidate.executablePath ?? "Playwright's Chromium"}: ${firstLine(error)}`
  }
}

async function ofTheMachine(): Promise<Candidate[]> {
  const machine = { platform: process.platform, env: process.env, home: homedir(), isFile }
  return browserPaths(machine).map((executablePath) => ({ executablePath }))
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

async function fromNpm(): Promise<Candidate[]> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return []
  const about = readFileSync(join(root, 'node_modules', '@sparticuz', 'chromium', 'package.json'), 'utf8')
  const script = fileURLToPath(new URL('unpack-chromium.mjs', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [script, JSON.parse(about).version], { cwd: root })
  const folder = stdout.trim()
  const libraries = [join(folder, 'al2023', 'lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':')
  const env = { LD_LIBRARY_PATH: libraries, FONTCONFIG_PATH: join(folder, 'fonts') }
  return [{ executablePath: join(folder, 'chromium'), env, args: ['--no-zygote', '--in-process-gpu'] }]
}

async function ofPlaywright(): Promise<Candidate[]> {
  return isFile(chromium.executablePath()) ? [{ executablePath: chromium.executablePath() }] : []
}

async function download(): Promise<Candidate[]> {
  console.error('No browser starts on this machine: downloading Chromium with Playwright.')
  const script = fileURLToPath(new URL('download-chromium.mjs', import.meta.url))
  const [code] = await once(spawn(process.execPath, [script], { cwd: root, stdio: 'inherit' }), 'exit')
  if (code !== 0) throw new Error(`the download of Chromium failed (exit code ${code})`)
  return ofPlaywright()
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.split('\n', 1)[0] ?? text
}
