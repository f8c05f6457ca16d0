import { variable } from '../folder/variables.ts'
import { variableName } from '../stack/secret-fields.ts'

/** The data of a channel whose URL the other tool does not hold: it is read from a variable, which the user sets. */
export function missingUrl(workspace: string, name: string, whose: string, differences: string[]): { url: string } {
  const wanted = variableName(`${workspace}.${name}`, ['url'], new Set())
  differences.push(`set the variable ${wanted} to the URL of ${whose}`)
  return { url: variable(wanted) }
}
