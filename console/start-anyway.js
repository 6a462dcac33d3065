// Starts the console where the inline script of index.html did not run: something on the way has changed the page, and a browser
// runs none that our policy does not know by its hash.
const root = document.documentElement;
if (!root.hasAttribute('data-begun'))
  for (const { dataset } of document.querySelectorAll('[data-entry]'))
    import(dataset.href).catch((error) => {
      root.setAttribute('data-failed', '');
      document.querySelector('.failed button').onclick = () => location.reload();
      console.error(error);
    });
