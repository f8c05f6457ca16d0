import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { parse } from 'yaml'
import { Failure } from '../../failure.ts'
import { mapScalars, parsePath, valueAt } from '../../folder/paths.ts'

/** Variables inside variables are filled in from the inside out, so that a loop ends with an error. */
const depthMax = 20

/**
 * Fills in the variables of a serverless file: `${self:path}` from the file itself and `${file(path)}` from a file beside
 * it. Variables of the environment stay, because the files of a stack write them the same way.
 */
export function fillIn(document: unknown, path: string): unknown {
  const fileValue = (file: string) => readFileValue(resolve(dirname(path), file))
  const lookUp = (expression: string): unknown => {
    const [wanted = '', fallback] = expression.split(/,\s*/)
    const file = /^file\((.+?)\)(?::(.+))?$/.exec(wanted)
    if (file)
      return file[2] === undefined ? fileValue(file[1] ?? '') : valueAt(fileValue(file[1] ?? ''), parsePath(file[2]))
    const own = /^self:(.+)$/.exec(wanted)
    const found = own ? valueAt(document, parsePath(own[1] ?? '')) : undefined
    if (found !== undefined) return found
    if (fallback !== undefined) return fallback.replaceAll(/^['"]|['"]$/g, '')
    throw new Failure('invalid_file', `The variable \${${wanted}} has no value.`)
  }
  return fill(document, lookUp, 0)
}

const variable = /\$\{((?!env:)[^${}]+)\}/

function fill(value: unknown, lookUp: (expression: string) => unknown, depth: number): unknown {
  if (depth > depthMax) throw new Failure('invalid_file', 'Variables of the file name each other in a circle.')
  return mapScalars(value, (scalar) => {
    if (typeof scalar !== 'string' || !variable.test(scalar)) return scalar
    const whole = new RegExp(`^${variable.source}$`).exec(scalar)
    if (whole) return fill(lookUp(whole[1] ?? ''), lookUp, depth + 1)
    const text = scalar.replace(variable, (_, expression: string) => String(lookUp(expression)))
    return fill(text, lookUp, depth + 1)
  })
}

/** ABIs are JSON, and other files are YAML, of which JSON is a part. */
function readFileValue(path: string): unknown {
  try {
    const value: unknown = parse(readFileSync(path, 'utf8'))
    return value
  } catch {
    throw new Failure('invalid_file', `The file ${path} cannot be read.`)
  }
}
