import type { TriggerSave } from '@tocsin/contract'
import { Failure } from '../failure.ts'
import { isRecord } from '../folder/paths.ts'

/** The parts of a definition that a test takes. Its project is named only for its secrets. */
export function testBody(definition: TriggerSave, inputs: Record<string, unknown> | undefined) {
  const { triggerSpec, providers, transform, activation, conditions, sourceBindings } = definition
  return {
    triggerSpec,
    providers,
    transform,
    activation,
    outputSchema: definition.outputSchema ?? null,
    ...(conditions && { conditions }),
    ...(sourceBindings && { sourceBindings }),
    ...(inputs && { inputs }),
    ...secretsOf(definition),
  }
}

export function backtestBody(definition: TriggerSave, inputs: Record<string, unknown> | undefined) {
  return { definition, ...(inputs && { inputs }), ...secretsOf(definition) }
}

function secretsOf({ project, providers }: TriggerSave): { project?: string } {
  return JSON.stringify(providers).includes('{{secrets.') ? { project } : {}
}

/** The value of `--inputs`: a JSON object. */
export function parseInputs(text: string | undefined): Record<string, unknown> | undefined {
  return parseObject('--inputs', text, '{"minimum": 5}')
}

export function parseObject(
  option: string,
  text: string | undefined,
  example: string,
): Record<string, unknown> | undefined {
  if (text === undefined) return undefined
  try {
    const value: unknown = JSON.parse(text)
    if (isRecord(value)) return value
  } catch {
    // The sentence below says what is wanted.
  }
  throw new Failure('invalid_option', `${option} must be a JSON object, such as '${example}'.`)
}

/** A whole number of an option. */
export function parseCount(option: string, text: string, least = 0): number {
  const number = Number(text)
  if (Number.isSafeInteger(number) && number >= least) return number
  throw new Failure('invalid_option', `${option} must be a whole number from ${least} on, not "${text}".`)
}
