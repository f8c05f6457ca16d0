import { Text } from '@mantine/core'
import { Fragment } from 'react'
import { Sentence, SentenceValue } from '../../components/patterns/sentence.tsx'
import { type Part, type SentenceParts, textOfParts } from '../../sentences/parts.ts'
import { AddressText } from '../address/address-text.tsx'
import type { AddressSource } from '../address/use-sources.ts'

type SentenceTextProps = {
  parts: SentenceParts
  /** The source of the addresses in the sentence, which are shown by their names. */
  source: AddressSource | undefined
  /** A small line below a title, without highlights and buttons. */
  isRow?: boolean | undefined
}

export function SentenceText({ parts, source, isRow = false }: SentenceTextProps) {
  const shown = placed(parts).map(({ part, at }) => {
    const text = <AddressText text={textOfParts([part])} source={source} isPlain />
    const isValue = typeof part !== 'string' && !isRow
    return <Fragment key={at}>{isValue ? <SentenceValue>{text}</SentenceValue> : text}</Fragment>
  })
  if (!isRow) return <Sentence>{shown}</Sentence>
  return (
    <Text size="sm" c="dimmed">
      {shown}
    </Text>
  )
}

/** Each part with its place, which identifies it. */
function placed(parts: SentenceParts): { part: Part; at: number }[] {
  return parts.map((part, at) => ({ part, at }))
}
