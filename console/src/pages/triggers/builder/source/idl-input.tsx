import type { Issue, SpecInput } from '@tocsin/contract'
import { useState } from 'react'
import { issueAt } from '../../../../components/issue-list.tsx'
import { LongText } from '../../../../forms/long-text.tsx'
import { type Fields, textOf } from '../../model/definition.ts'
import { type IdlItem, type IdlKind, itemsInIdl } from '../../model/idl-items.ts'
import { type Builder, invalidTextIn } from '../state/builder-state.ts'
import { ItemChoice } from './item-choice.tsx'

type IdlInputProps = { input: Extract<SpecInput, { as: 'idl' }>; builder: Builder; issues: Issue[] }

/** The user pastes an IDL and chooses an event or an instruction of it. */
export function IdlInput({ input, builder, issues }: IdlInputProps) {
  const { item: kind, label, description } = input
  const { state, dispatch } = builder
  const spec = state.definition.triggerSpec ?? {}
  const invalidText = invalidTextIn(builder, idlPath, 'IDL (Source tab)')
  const [readable, setReadable] = useState(() => textOf(spec.idl))
  const pasted = invalidText.current?.text ?? readable
  const found = itemsInIdl(pasted, kind)
  const isChosen = ({ name }: IdlItem, idl: Fields | undefined) =>
    name === spec[kind] && JSON.stringify(idl) === JSON.stringify(readText(spec.idl, kind))
  const paste = (text: string) => {
    const { items, idl, problem } = itemsInIdl(text, kind)
    const isStored = text.trim() === '' || items.some((item) => isChosen(item, idl))
    if (!isStored) return invalidText.set({ text, problem: problem ?? `Choose an ${kind} of this IDL.` })
    invalidText.set(undefined)
    setReadable(text)
    if (text.trim() === '') dispatch({ type: 'changeSpec', part: { idl: undefined, [kind]: undefined } })
  }
  return (
    <>
      <LongText
        label={label}
        description={description}
        value={pasted}
        onText={paste}
        error={invalidText.current?.problem ?? issueAt(issues, idlPath)}
        minRows={3}
        maxRows={10}
        isCode
      />
      <ItemChoice
        noun={found.isInstructions ? 'instruction' : 'event'}
        items={found.items.map((item) => ({
          item,
          name: item.name,
          text: `${found.isInstructions && kind === 'event' ? 'instruction ' : ''}${item.name}(${item.fields.join(', ')})`,
        }))}
        isChosen={(item) => isChosen(item, found.idl)}
        choose={({ name }) => {
          invalidText.set(undefined)
          setReadable(pasted)
          dispatch({
            type: 'changeSpec',
            part: { [kind]: name, idl: found.idl, ...(!spec.programId && { programId: found.programId }) },
          })
        }}
      />
    </>
  )
}

const idlPath = 'triggerSpec.idl'

/** The trigger may store the IDL as JSON text. */
function readText(idl: unknown, kind: IdlKind): unknown {
  return typeof idl === 'string' ? itemsInIdl(idl, kind).idl : idl
}
