import { Select, TextInput } from '@mantine/core'
import type { Issue } from '@tocsin/contract'
import { useState } from 'react'
import { issueAt } from '../../../../components/issue-list.tsx'
import { LongText } from '../../../../forms/long-text.tsx'
import { type Fields, textOf } from '../../model/definition.ts'
import { type IdlItem, type IdlKind, itemsInIdl } from '../../model/idl-items.ts'
import { type Builder, invalidTextIn } from '../state/builder-state.ts'
import { SpecSwitch } from './call-options.tsx'
import { ItemChoice } from './item-choice.tsx'

type SolanaItemProps = { builder: Builder; issues: Issue[]; kind: IdlKind }

/** The program and the event or instruction of a Solana trigger. The user pastes an IDL and chooses an item. */
export function SolanaItem({ builder, issues, kind }: SolanaItemProps) {
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
      <TextInput
        label="Program"
        description="The address of the program. Leave empty to watch every program."
        value={textOf(spec.programId)}
        onChange={(event) =>
          dispatch({ type: 'changeSpec', part: { programId: event.currentTarget.value || undefined } })
        }
        error={issueAt(issues, 'triggerSpec.programId')}
        spellCheck={false}
      />
      <LongText
        label="IDL"
        description="Paste the Anchor IDL of the program as JSON."
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
      <TextInput
        label={kind === 'event' ? 'Event' : 'Instruction'}
        description={`The name in the IDL. Leave empty to watch every ${kind}.`}
        value={textOf(spec[kind])}
        onChange={(event) => dispatch({ type: 'changeSpec', part: { [kind]: event.currentTarget.value || undefined } })}
        error={issueAt(issues, `triggerSpec.${kind}`)}
        spellCheck={false}
      />
      {kind === 'event' ? <BytesField builder={builder} /> : <InnerSwitch builder={builder} />}
    </>
  )
}

function BytesField({ builder: { state, dispatch } }: { builder: Builder }) {
  return (
    <Select
      label="Bytes"
      description="How bytes in the values of an event are written."
      data={[
        { value: 'hex', label: 'Hex: 0x and digits' },
        { value: 'base64', label: 'Base64' },
      ]}
      value={textOf(state.definition.triggerSpec?.bytesEncoding) || 'hex'}
      onChange={(value) =>
        dispatch({ type: 'changeSpec', part: { bytesEncoding: value === 'base64' ? value : undefined } })
      }
      allowDeselect={false}
    />
  )
}

function InnerSwitch({ builder }: { builder: Builder }) {
  return (
    <SpecSwitch
      builder={builder}
      field="inner"
      isDefault={true}
      label="Include inner instructions"
      description="Also the instructions that programs invoke."
    />
  )
}

const idlPath = 'triggerSpec.idl'

/** The trigger may store the IDL as JSON text. */
function readText(idl: unknown, kind: IdlKind): unknown {
  return typeof idl === 'string' ? itemsInIdl(idl, kind).idl : idl
}
