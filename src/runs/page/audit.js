// Adds what reading does not need: the filter, opening and closing, and jumps to a place
// that is folded away. It creates no markup and reads nothing but the page.
(() => {
  const all = selector => [...document.querySelectorAll(selector)];
  const items = all('.item');
  const input = document.querySelector('#filter');
  const output = document.querySelector('.filter output');
  const kinds = all('[data-kind]');
  const groups = all('.conversation, .group');
  const texts = new Map();

  document.querySelector('.filter').hidden = false;

  const textOf = item => {
    if (!texts.has(item)) texts.set(item, item.textContent.toLowerCase());
    return texts.get(item);
  };
  const pressed = () => kinds.filter(button => button.getAttribute('aria-pressed') === 'true');

  const apply = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = pressed().map(button => button.dataset.kind);
    const isOn = words.length > 0 || wanted.length > 0;
    let shown = 0;
    for (const item of items) {
      const own = item.dataset.kinds.split(' ');
      const fits =
        (wanted.length === 0 || wanted.some(kind => own.includes(kind))) &&
        words.every(word => textOf(item).includes(word));
      item.hidden = !fits;
      if (fits) shown += 1;
    }
    for (const group of groups) {
      group.hidden = isOn && !group.querySelector('.item:not([hidden])');
    }
    document.body.classList.toggle('filtered', isOn);
    output.textContent = isOn ? `${shown} of ${items.length} shown` : '';
  };

  let waiting = 0;
  input.addEventListener('input', () => {
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(apply);
  });
  for (const button of kinds) {
    const has = items.some(item => item.dataset.kinds.split(' ').includes(button.dataset.kind));
    button.disabled = !has;
    button.addEventListener('click', () => {
      button.setAttribute('aria-pressed', String(button.getAttribute('aria-pressed') !== 'true'));
      apply();
    });
  }
  for (const button of all('[data-act]')) {
    button.addEventListener('click', () => {
      for (const turn of all('details.turn')) {
        if (!turn.hidden) turn.open = button.dataset.act === 'open';
      }
    });
  }

  const clear = () => {
    input.value = '';
    for (const button of kinds) button.setAttribute('aria-pressed', 'false');
    apply();
  };

  const focusOn = place => {
    const target = place.tagName === 'DETAILS' ? place.querySelector('summary') : place;
    target.focus({ preventScroll: true });
    place.scrollIntoView({ block: 'start' });
  };

  const goTo = () => {
    const place = document.getElementById(location.hash.slice(1));
    if (place === null) return;
    if (place.closest('[hidden]') !== null) clear();
    for (let part = place; part !== null; part = part.parentElement) {
      if (part.tagName === 'DETAILS') part.open = true;
    }
    focusOn(place);
  };
  addEventListener('hashchange', goTo);
  if (location.hash !== '') {
    goTo();
    // The browser goes there by itself once all is loaded, and forgets the focus on its way.
    addEventListener('load', () => setTimeout(goTo));
  }

  addEventListener('keydown', event => {
    if (event.key === 'Escape' && document.body.classList.contains('filtered')) clear();
  });
})();
