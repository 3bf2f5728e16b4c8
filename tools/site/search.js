// Search without a server: the list of all sections is a script, loaded when it is first needed.
(function () {
    var root = document.currentScript.dataset.root, box = document.getElementById("search"), most = 30, loading = false;
    box.innerHTML = '<label><span hidden>Search</span><input type="search" placeholder="Search" aria-label="Search" aria-controls="found"></label>' +
        '<div id="found" role="region" aria-label="Search results" aria-live="polite" hidden></div>';
    var input = box.querySelector("input"), found = document.getElementById("found");

    function excerpt(text, word) {
        var at = text.toLowerCase().indexOf(word), from = Math.max(0, at - 60);
        return (from ? "… " : "") + text.slice(from, from + 180) + (text.length > from + 180 ? " …" : "");
    }

    // All words are there; each counts more in a title, and most as a whole title or name.
    function rank(page, words) {
        var title = page[1].toLowerCase(), text = page[3].toLowerCase(), sum = 0;
        for (var i = 0; i < words.length; i++) {
            if (title.split(/[\s:]+/).indexOf(words[i]) >= 0) sum += 20;
            else if (title.indexOf(words[i]) >= 0) sum += 10;
            else if (text.indexOf(words[i]) >= 0) sum += 1;
            else return 0;
        }
        return sum + (title === words.join(" ") ? 50 : 0) + (text.indexOf(words.join(" ")) >= 0 ? 3 : 0);
    }

    function show() {
        var words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
        found.hidden = !words.length;
        if (!words.length || !window.lifecheckPages) return;
        var hits = window.lifecheckPages.map(function (page, i) { return [rank(page, words), i, page]; })
            .filter(function (hit) { return hit[0]; }).sort(function (a, b) { return b[0] - a[0] || a[1] - b[1]; });
        found.textContent = "";
        var sum = found.appendChild(document.createElement("p")), list = document.createElement("ol");
        sum.textContent = hits.length === 0 ? "Nothing found." : hits.length > most ? hits.length + " results; the first " + most + ":" :
            hits.length + (hits.length === 1 ? " result" : " results");
        hits.slice(0, most).forEach(function (hit) {
            var item = list.appendChild(document.createElement("li")), link = item.appendChild(document.createElement("a"));
            link.href = root + hit[2][0];
            link.textContent = hit[2][1];
            item.appendChild(document.createTextNode(" " + hit[2][2]));
            var text = item.appendChild(document.createElement("div"));
            text.className = "dim";
            text.textContent = excerpt(hit[2][3], words[0]);
        });
        if (hits.length) found.appendChild(list);
    }

    function load() {
        if (loading) return;
        loading = true;
        var script = document.head.appendChild(document.createElement("script"));
        script.onload = show;
        script.src = root + "index.js";
    }

    input.addEventListener("focus", load);
    input.addEventListener("input", function () { load(); show(); });
    document.addEventListener("keydown", function (event) {
        if (event.key === "Escape") { input.value = ""; show(); }
        else if (event.key === "/" && document.activeElement !== input) { event.preventDefault(); input.focus(); }
    });
    var asked = new URLSearchParams(location.search).get("q");
    if (asked) { input.value = asked; load(); }
})();
