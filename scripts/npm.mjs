import { accessSync, constants, existsSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { runtimeFolder } from './paths.mjs'

const quiet = ['--no-audit', '--no-fund', '--loglevel=error']

/** The command line that runs npm under the given Node. */
export function npmCommand(node, ...args) {
  return [node, npmScript(), ...args, ...quiet, ...cacheArguments()]
}

function npmScript() {
  const found = [process.env.npm_execpath, ...besideNode(), ...onPath()].find(isNpm)
  if (!found) throw new Error('npm was not found: install it, or start with `npm start`.')
  return realpathSync(found)
}

function besideNode() {
  const bin = dirname(process.execPath)
  return [
    join(bin, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    join(bin, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    join(bin, '..', 'share', 'nodejs', 'npm', 'bin', 'npm-cli.js'),
  ]
}

/** On Unix `npm` on the path is a link to a script. A shell wrapper cannot be run by another Node. */
function onPath() {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  return folders.flatMap((folder) => [join(folder, 'npm'), join(folder, 'node_modules', 'npm', 'bin', 'npm-cli.js')])
}

function isNpm(path) {
  return path !== undefined && existsSync(path) && realpathSync(path).endsWith('npm-cli.js')
}

/** A user without a home folder (a service account) has no npm cache, so it gets one beside the runtime. */
function cacheArguments() {
  const wanted = process.env.npm_config_cache ?? join(homedir(), '.npm')
  return isWritable(nearestExisting(wanted)) ? [] : [`--cache=${join(runtimeFolder, 'npm-cache')}`]
}

function nearestExisting(path) {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path))
}

function isWritable(path) {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}
