import { join, relative, resolve } from 'node:path'
import Eleventy from '@11ty/eleventy'

/** Builds the docs site into the folder that the command line names. */
const [outDir] = process.argv.slice(2)
if (!outDir) {
  console.error('Usage: node site/build.mjs FOLDER')
  process.exit(2)
}

// Eleventy resolves its folders from the working directory. With relative paths, the path of the repository is never a
// part of a glob.
const root = join(import.meta.dirname, '..')
const output = relative(root, resolve(outDir))
process.chdir(root)
await new Eleventy(undefined, output, { quietMode: true, configPath: 'site/eleventy.config.mjs' }).write()
