import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withLock } from '../../../scripts/lock.mjs'
import { locksFolder, runtimeFolder } from '../../../scripts/paths.mjs'

/**
 * Unpacks the Chromium that npm brought, with the libraries and fonts that a bare system lacks, and prints the folder.
 * Runs in its own process, because the package chooses its temporary folder when it is loaded.
 */
const [version] = process.argv.slice(2)
const folder = join(runtimeFolder, `chromium-${version}`)
await withLock(join(locksFolder, 'chromium'), async () => {
  if (existsSync(folder)) return
  mkdirSync(runtimeFolder, { recursive: true })
  const aside = mkdtempSync(join(runtimeFolder, 'chromium-aside-'))
  process.env.TMPDIR = aside
  // What it takes for a bare system: only there does it unpack the libraries.
  process.env.AWS_EXECUTION_ENV = 'AWS_Lambda_nodejs22.x'
  try {
    const { default: chromium } = await import('@sparticuz/chromium')
    await chromium.executablePath()
    writeFileSync(join(aside, 'fonts', 'fonts.conf'), fontsIn(join(folder, 'fonts')))
    renameSync(aside, folder)
  } catch (error) {
    rmSync(aside, { recursive: true, force: true })
    throw error
  }
})
console.log(folder)

function fontsIn(fonts) {
  const folders = [fonts, '/usr/share/fonts'].map((path) => `<dir>${path}</dir>`).join('')
  return `<?xml version="1.0"?><fontconfig>${folders}<cachedir>${join(fonts, 'cache')}</cachedir></fontconfig>\n`
}
