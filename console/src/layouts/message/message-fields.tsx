import { Code, Stack, TextInput } from '@mantine/core'
import { useApiQuery } from '../../data/queries.ts'
import { isObject } from '../../forms/json.ts'
import { type LinkRow, LinksField } from '../../forms/links-field.tsx'
import { LongText } from '../../forms/long-text.tsx'
import classes from './message.module.css'
import { SeverityField } from './severity-field.tsx'

type MessageTexts = Record<string, unknown>
type MessageFieldsProps = {
  value: MessageTexts
  /** Undefined removes the field. */
  put: (name: string, value: unknown) => void
  /** The values that apply where a field is empty. */
  fallback?: MessageTexts
  errorOf: (path: string) => string | undefined
}

const texts = [
  ['title', 'Message title', 1],
  ['short', 'Short text', 1],
  ['long', 'Long text', 3],
] as const
const images = [
  ['icon', 'Icon'],
  ['avatar', 'Avatar'],
  ['cover', 'Cover'],
] as const
const hint = 'A template with values of the output, such as {{human.value}} or {{address raw.from}}.'

/** The texts of a message: the defaults of a trigger, or the overrides of a subscription. */
export function MessageFields({ value, put, fallback = {}, errorOf }: MessageFieldsProps) {
  return (
    <>
      {texts.map(([name, label, minRows]) => (
        <LongText
          key={name}
          label={label}
          description={name === 'title' ? hint : undefined}
          placeholder={textOf(fallback[name])}
          minRows={minRows}
          maxRows={16}
          value={textOf(value[name])}
          onText={(text) => put(name, text || undefined)}
          error={errorOf(name)}
        />
      ))}
      <SeverityField
        value={value.severity}
        fallback={textOf(fallback.severity) || 'info'}
        onChange={(severity) => put('severity', severity)}
        errorOf={errorOf}
      />
      <LinksField
        description={
          linksOf(fallback.links).length > 0
            ? 'Links here replace the links of the trigger. Titles and URLs are templates too.'
            : 'Titles and URLs are templates too.'
        }
        links={linksOf(value.links)}
        onChange={(links) => put('links', links.length > 0 ? links : undefined)}
        errorOf={(path) => errorOf(`links.${path}`)}
      />
      <details className={classes.more}>
        <summary>Images</summary>
        <Stack gap="sm">
          {images.map(([name, label]) => (
            <TextInput
              key={name}
              label={label}
              placeholder={textOf(fallback[name]) || 'https://'}
              value={textOf(value[name])}
              onChange={(event) => put(name, event.currentTarget.value || undefined)}
              error={errorOf(name)}
              spellCheck={false}
            />
          ))}
        </Stack>
      </details>
      <TemplateHelpers />
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

/** Lists the helpers that a message template can call. */
function TemplateHelpers() {
  const { data } = useApiQuery('getTemplateHelpers', {})
  return (
    <details className={classes.more}>
      <summary>Template helpers</summary>
      <Stack gap={6} component="ul" m={0} pl="md">
        {data?.templating.helpers.map(({ name, description, block, params }) => (
          <li key={name}>
            <Code>{`{{${block ? '#' : ''}${name} …${(params ?? []).map((each) => ` ${each.name}=`).join('')}}}`}</Code>{' '}
            {description}
          </li>
        ))}
      </Stack>
    </details>
  )
}
