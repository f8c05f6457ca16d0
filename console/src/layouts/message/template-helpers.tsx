import { Code, Stack } from '@mantine/core'
import { useApiQuery } from '../../data/queries.ts'
import classes from './message.module.css'

/** Lists the helpers that a message template can call. */
export function TemplateHelpers() {
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
