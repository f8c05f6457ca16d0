import { Stack, TextInput } from '@mantine/core'
import { isObject } from '../../forms/json.ts'
import { type LinkRow, LinksField } from '../../forms/links-field.tsx'
import { LongText } from '../../forms/long-text.tsx'
import { HelperHelp } from './helper-help.tsx'
import classes from './message.module.css'

type Words = Record<string, unknown>
type MessageFieldsProps = {
  value: Words
  /** Undefined takes the field away. */
  put: (name: string, value: unknown) => void
  /** What counts where a field is empty. */
  otherwise?: Words
  errorOf: (path: string) => string | undefined
}

const texts = [
  ['title', 'Message title', 1],
  ['short', 'Short text', 1],
  ['long', 'Long text', 3],
] as const
const pictures = [
  ['icon', 'Icon'],
  ['avatar', 'Avatar'],
  ['cover', 'Cover'],
] as const
const hint = 'Templates over the output, such as {{human.value}} or {{address raw.from}}.'

/** What a message says: the words of a trigger, or those that a subscription puts in their place. */
export function MessageFields({ value, put, otherwise = {}, errorOf }: MessageFieldsProps) {
  return (
    <>
      {texts.map(([name, label, minRows]) => (
        <LongText
          key={name}
          label={label}
          description={name === 'title' ? hint : undefined}
          placeholder={textOf(otherwise[name])}
          minRows={minRows}
          maxRows={16}
          value={textOf(value[name])}
          onText={(text) => put(name, text || undefined)}
          error={errorOf(name)}
        />
      ))}
      <LinksField
        description={
          linksOf(otherwise.links).length > 0
            ? 'With one here, those of the trigger are not shown. Titles and addresses are templates too.'
            : 'Titles and addresses are templates too.'
        }
        links={linksOf(value.links)}
        onChange={(links) => put('links', links.length > 0 ? links : undefined)}
        errorOf={(path) => errorOf(`links.${path}`)}
      />
      <details className={classes.more}>
        <summary>Pictures</summary>
        <Stack gap="sm">
          {pictures.map(([name, label]) => (
            <TextInput
              key={name}
              label={label}
              placeholder={textOf(otherwise[name]) || 'https://'}
              value={textOf(value[name])}
              onChange={(event) => put(name, event.currentTarget.value || undefined)}
              error={errorOf(name)}
              spellCheck={false}
            />
          ))}
        </Stack>
      </details>
      <HelperHelp />
    </>
  )
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function linksOf(value: unknown): LinkRow[] {
  if (!Array.isArray(value)) return []
  return value.filter(isObject).map(({ title, url }) => ({ title: textOf(title), url: textOf(url) }))
}
