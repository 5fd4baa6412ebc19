/** Menus are `<details class="menu">`: one is open at a time, and a press elsewhere or Escape closes it. */
export function bindMenus(root: HTMLElement): void {
  const closeAll = (except?: Element | null) => {
    for (const menu of root.querySelectorAll<HTMLDetailsElement>('details.menu[open]'))
      if (menu !== except) menu.open = false;
  };
  root.addEventListener('click', (event) => {
    const target = event.target as Element;
    closeAll(target.closest('summary')?.parentElement);
  });
  root.addEventListener('keydown', (event) => {
    const menu = (event.target as Element).closest<HTMLDetailsElement>('details.menu[open]');
    if (event.key !== 'Escape' || !menu) return;
    menu.open = false;
    menu.querySelector('summary')?.focus();
    event.preventDefault();
  });
}
