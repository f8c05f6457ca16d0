import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Browser, chromium } from 'playwright-core'

type Candidate = { executablePath: string; env?: Record<string, string>; args?: string[] }

const installed = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const root = fileURLToPath(new URL('../../..', import.meta.url))
const args = [
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

/** A Chromium with a profile of its own: one of the machine, else the one that npm brought. */
export async function launchChromium(): Promise<Browser> {
  const refusals: string[] = []
  for (const find of [ofTheMachine, fromNpm]) {
    try {
      for (const candidate of await find()) {
        const browser = await launch(candidate).catch((error: Error) => void refusals.push(firstLines(error)))
        if (browser) return browser
      }
    } catch (error) {
      refusals.push(firstLines(error))
    }
  }
  throw new Error(
    `No Chromium could be started, so nothing is known about the console. Install one (such as: apt-get install chromium), or name one by CHROMIUM_PATH.\n${refusals.join('\n')}`,
  )
}

function launch({ executablePath, env = {}, args: more = [] }: Candidate): Promise<Browser> {
  return chromium.launch({
    executablePath,
    headless: true,
    chromiumSandbox: false,
    args: [...args, ...more],
    env: { ...process.env, ...env },
    timeout: 90_000,
  })
}

/** Whoever names one means that one. */
async function ofTheMachine(): Promise<Candidate[]> {
  const named = process.env.CHROMIUM_PATH
  const paths = named ? [named] : installed.filter((path) => existsSync(path))
  return paths.map((executablePath) => ({ executablePath }))
}

/** The package holds a build for Linux on x64 alone. */
async function fromNpm(): Promise<Candidate[]> {
  if (process.env.CHROMIUM_PATH) return []
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error(`@sparticuz/chromium has no build for ${process.platform} on ${process.arch}.`)
  const about = readFileSync(join(root, 'node_modules', '@sparticuz', 'chromium', 'package.json'), 'utf8')
  const script = fileURLToPath(new URL('unpack-chromium.mjs', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [script, JSON.parse(about).version], { cwd: root })
  const folder = stdout.trim()
  const libraries = [join(folder, 'al2023', 'lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':')
  const env = { LD_LIBRARY_PATH: libraries, FONTCONFIG_PATH: join(folder, 'fonts') }
  return [{ executablePath: join(folder, 'chromium'), env, args: ['--no-zygote', '--in-process-gpu'] }]
}

function firstLines(error: unknown): string {
  return String(error instanceof Error ? error.message : error)
    .split('\n')
    .slice(0, 6)
    .join('\n')
}
