const words: Record<string, string> = { '&&': ' AND ', '||': ' OR ', '!': ' NOT ', $: '' }
const quotedOrSymbol = /'(?:\\.|[^'\\])*'?|"(?:\\.|[^"\\])*"?|&&|\|\||!(?!=)|\$(?=\w)/g

export type MessageFilter = {
  filter_expression?: string | undefined
  conditions?: Record<string, string>[] | undefined
}

/** What a message must fulfil, in the language of `evm/expression.ts`. A filter expression wins over conditions. */
export function expressionOf(message: MessageFilter): string | undefined {
  if (message.filter_expression !== undefined)
    return message.filter_expression.replaceAll(quotedOrSymbol, (part) => words[part] ?? part)
  const all = (message.conditions ?? []).flatMap((each) => Object.entries(each))
  return all.length === 0 ? undefined : all.map(([field, text]) => `(${fieldExpression(field, text)})`).join(' AND ')
}

/**
 * A condition has the field as its key, and its text leaves the field out: `>=10 && <=20`. A part without a comparison is
 * the value itself.
 */
function fieldExpression(field: string, text: string): string {
  const parts = text.split(/(&&|\|\|)/).map((part) => part.trim())
  const clauses = parts.map((part) => words[part] ?? `${field} ${comparison(field, part)}`)
  return clauses.join('').replaceAll(/\s+/g, ' ')
}

function comparison(field: string, part: string): string {
  const own = part.startsWith(field) && /^\s*[<>=!]/.test(part.slice(field.length)) ? part.slice(field.length) : part
  return /^\s*(?:[<>]=?|==?|!=)/.test(own) ? own.trim() : `== ${own}`
}
