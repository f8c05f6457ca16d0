/** `npm run reference`: writes the pages of `docs/reference/`. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { referencePages } from './pages.ts'

const folder = new URL('../../docs/reference/', import.meta.url)
mkdirSync(folder, { recursive: true })
const pages = await referencePages()
for (const name of readdirSync(folder)) if (!pages.has(name)) rmSync(new URL(name, folder))
for (const [name, text] of pages) writeFileSync(new URL(name, folder), text)
