import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { parse } from 'yaml'
import { Failure } from '../../failure.ts'
import { isRecord, mapScalars, parsePath, valueAt } from '../../folder/paths.ts'
import { variable } from '../../folder/variables.ts'
import { importedKinds } from './files.ts'

/** Variables inside variables are filled in from the inside out, so that a loop ends with an error. */
const depthMax = 20

type LookUp = (expression: string, depth: number) => unknown

/**
 * Fills in the variables of the resources that are imported from a serverless file: `${self:path}` from the file itself
 * and `${file(path)}` from a file beside it. The rest of the file, such as keys of Defender, is read only where a variable
 * names it. Variables of the environment stay, because the files of a stack write them the same way.
 */
export function fillIn(document: unknown, path: string): unknown {
  const candidateValue = (wanted: string, depth: number): unknown => {
    const literal = /^(['"])(.*)\1$/.exec(wanted)
    if (literal) return literal[2]
    const env = /^env:(\w+)$/.exec(wanted)
    if (env) return variable(env[1] ?? '')
    const file = /^file\((.+?)\)(?::(.+))?$/s.exec(wanted)
    if (file) return filledAt(readFileValue(resolve(dirname(path), file[1] ?? '')), file[2] ?? '', depth)
    const own = /^self:(.+)$/.exec(wanted)
    return own ? filledAt(document, own[1] ?? '', depth) : undefined
  }
  /** A step of the path may end at a variable, such as a file of secrets, whose value has the next steps. */
  const filledAt = (value: unknown, steps: string, depth: number): unknown =>
    parsePath(steps).reduce<unknown>((at, step) => valueAt(fillScalar(at, lookUp, depth), [step]), value)
  const lookUp: LookUp = (expression, depth) => {
    const [wanted = '', ...others] = expression.split(/,\s*/)
    for (const one of [wanted, ...others]) {
      const found = candidateValue(one, depth)
      if (found !== undefined) return found
    }
    throw new Failure('invalid_file', `The variable \${${wanted}} in ${path} has no value.`)
  }
  if (!isRecord(document) || !isRecord(document.resources)) return fill(document, lookUp, 0)
  const resources = Object.entries(document.resources).map(([kind, members]) => [
    kind,
    importedKinds.has(kind) ? fill(members, lookUp, 0) : members,
  ])
  return { ...document, resources: Object.fromEntries(resources) }
}

const reference = /\$\{((?!env:\w+\})[^${}]+)\}/

function fill(value: unknown, lookUp: LookUp, depth: number): unknown {
  return mapScalars(value, (scalar) => fillScalar(scalar, lookUp, depth))
}

function fillScalar(scalar: unknown, lookUp: LookUp, depth: number): unknown {
  if (depth > depthMax) throw new Failure('invalid_file', 'Variables of the file name each other in a circle.')
  if (typeof scalar !== 'string' || !reference.test(scalar)) return scalar
  const whole = new RegExp(`^${reference.source}$`).exec(scalar)
  if (whole) return fill(lookUp(whole[1] ?? '', depth + 1), lookUp, depth + 1)
  const text = scalar.replace(reference, (_, expression: string) => String(lookUp(expression, depth + 1)))
  return fillScalar(text, lookUp, depth + 1)
}

/** ABIs are JSON, and other files are YAML, of which JSON is a part. */
function readFileValue(path: string): unknown {
  try {
    const value: unknown = parse(readFileSync(path, 'utf8'))
    return value
  } catch {
    throw new Failure('invalid_file', `The file ${path}, which a variable names, cannot be read. Put it there first.`)
  }
}
