// The script of /api/docs: search, links to closed parts, and “Try it”. It runs in the browser as it is.

const search = document.querySelector('#search')
const found = document.querySelector('#found')
const token = document.querySelector('#token')
const operations = [...document.querySelectorAll('.operation')].map((element) => ({
  element,
  text: `${element.id} ${element.textContent}`.toLowerCase(),
}))

search.addEventListener('input', () => {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean)
  let count = 0
  for (const { element, text } of operations) {
    const isHit = words.every((word) => text.includes(word))
    element.hidden = !isHit
    if (isHit) count++
  }
  for (const section of document.querySelectorAll('main > section[id^="tag-"]'))
    section.hidden = !section.querySelector('.operation:not([hidden])')
  found.textContent = words.length === 0 ? '' : `${count} of ${operations.length} operations`
})

/** A link to an operation or a schema opens it. */
function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (!target) return
  target.hidden = false
  if (target instanceof HTMLDetailsElement) target.open = true
  target.scrollIntoView()
}
addEventListener('hashchange', openTarget)
openTarget()

document.addEventListener('submit', (event) => {
  const form = event.target
  if (!form.matches('.try')) return
  event.preventDefault()
  void send(form)
})

/** Without a token the browser sends the session of the console, which needs its CSRF token for changes. */
async function send(form) {
  const output = form.querySelector('output')
  const { method, path } = form.dataset
  const button = form.querySelector('button')
  button.disabled = true
  try {
    const startedAt = performance.now()
    const response = await fetch(addressOf(form, path), {
      method,
      headers: headersOf(form, method),
      credentials: token.value === '' ? 'same-origin' : 'omit',
      ...(form.elements.body && { body: form.elements.body.value }),
    })
    const text = await response.text()
    show(output, `${response.status} ${response.statusText} in ${Math.round(performance.now() - startedAt)} ms`, text)
  } catch (error) {
    show(output, 'The request failed.', String(error))
  } finally {
    button.disabled = false
  }
}

function addressOf(form, path) {
  const inputs = [...form.querySelectorAll('input')]
  const valueOf = (name) => inputs.find((input) => input.name === name)?.value ?? ''
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(valueOf(name)))
  const query = inputs.filter((input) => input.dataset.in === 'query' && input.value !== '')
  const parameters = new URLSearchParams(query.map((input) => [input.name, input.value]))
  return query.length > 0 ? `${filled}?${parameters}` : filled
}

function headersOf(form, method) {
  const csrf = /(?:^|; )tocsin_csrf=([^;]+)/.exec(document.cookie)?.[1]
  return {
    ...(form.elements.body && { 'content-type': 'application/json' }),
    ...(token.value !== '' && { authorization: `Bearer ${token.value}` }),
    ...(token.value === '' && method !== 'GET' && csrf && { 'x-csrf-token': csrf }),
  }
}

/** The answer is shown as text, never as HTML. */
function show(output, title, text) {
  const pre = document.createElement('pre')
  pre.tabIndex = 0
  pre.textContent = indented(text)
  output.replaceChildren(title, pre)
}

function indented(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
