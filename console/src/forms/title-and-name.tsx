import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { nameFrom } from './names.ts'

type TextField = { value: string; onChange: (event: { currentTarget: { value: string } }) => void }
type TitleAndNameProps = {
  title: TextField
  name: TextField
  setName: (name: string) => void
  /** The name is set once, at creation. */
  isNew: boolean
}

/** The name is made from the title until the user types a name. */
export function TitleAndName({ title, name, setName, isNew }: TitleAndNameProps) {
  const [isNamed, setNamed] = useState(!isNew)
  return (
    <>
      <TextInput
        label="Title"
        {...title}
        onChange={(event) => {
          title.onChange(event)
          if (!isNamed) setName(nameFrom(event.currentTarget.value))
        }}
      />
      {isNew && (
        <TextInput
          label="Name"
          description="Lower case letters, digits and hyphens. The name cannot be changed later."
          {...name}
          onChange={(event) => {
            setNamed(true)
            name.onChange(event)
          }}
        />
      )}
    </>
  )
}
