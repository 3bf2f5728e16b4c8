/* Expressions and templates: values, marks, doubts, and what the cores refuse. */
#include "one_file.h"
#include "unit.h"

#include "lifecheck/configuration/scope.h"

#include <stdlib.h>

/* The scope of all rows. */
static const char configuration[] =
    "{\"variable\":{\"r\":{\"type\":\"set(string)\",\"default\":[\"us\",\"eu\"]},"
    "\"s\":{\"default\":\"hush\",\"sensitive\":true},\"n\":{\"default\":7},\"e\":{}},"
    "\"locals\":{\"m\":{\"a\":\"1\",\"b\":\"2\"},\"l\":[\"x\",\"y\"],\"o\":{\"x\":{\"y\":[10,20]}},"
    "\"half\":{\"sure\":\"s\",\"not\":\"${pow(1, 2)}\"},\"secret\":{\"k\":\"${var.s}\",\"p\":1},"
    "\"c1\":\"${local.c2}\",\"c2\":\"${local.c1}\",\"none\":null}}";

typedef struct row {
    const char *in, *want; /* the value in Go's syntax; or ! and the core's summary */
} row;

static const row templates[] = {
    {"plain", "cty.StringVal(\"plain\")"},
    {"", "cty.StringVal(\"\")"},
    {"$${x} %%{y} $x", "cty.StringVal(\"${x} %{y} $x\")"},
    {"${1}", "cty.NumberIntVal(1)"},
    {"${ true }", "cty.True"},
    {"a${1}b", "cty.StringVal(\"a1b\")"},
    {"a ${~ 1 ~} b", "cty.StringVal(\"a1b\")"},
    {"${null}", "cty.NullVal(cty.DynamicPseudoType)"},
    {"a${null}", "!Invalid template interpolation value"},
    {"a${[1]}", "!Invalid template interpolation value"},
    {"${\"a${\"b\"}c\\\"\\n\"}", "cty.StringVal(\"abc\\\"\\n\")"},
    {"${-(1 + 2) * 3 % 4}", "cty.NumberIntVal(-1)"},
    {"${1 + 2 * 3 - 4 / 2}", "cty.NumberIntVal(5)"},
    {"${0 / 0}", "!Operation failed"},
    {"${\"1\" + 1}", "cty.NumberIntVal(2)"},
    {"${\"x\" + 1}", "!Invalid operand"},
    {"${1 < 2 && !(2 <= 1) || false}", "cty.True"},
    {"${\"1\" == 1}", "cty.False"},
    {"${null == local.none}", "cty.True"},
    {"${true ? \"a\" : 1}", "cty.StringVal(\"a\")"},
    {"${false ? \"a\" : 1}", "cty.StringVal(\"1\")"},
    {"${true ? [1] : \"a\"}", "!Inconsistent conditional result types"},
    {"${null ? 1 : 2}", "!Null condition"},
    {"${[1, \"a\", true]}",
     "cty.TupleVal([]cty.Value{cty.NumberIntVal(1), cty.StringVal(\"a\"), cty.True})"},
    {"${{b = 1, \"a\" : 2, (\"c\") = 3}}",
     "cty.ObjectVal(map[string]cty.Value{\"a\":cty.NumberIntVal(2), \"b\":cty.NumberIntVal(1), "
     "\"c\":cty.NumberIntVal(3)})"},
    {"${local.o.x.y[1]}", "cty.NumberIntVal(20)"},
    {"${local.o[\"x\"].y.0}", "cty.NumberIntVal(10)"},
    {"${local.o.z}", "!Unsupported attribute"},
    {"${local.l[2]}", "!Invalid index"},
    {"${var.r[0]}", "!Invalid index"},
    {"${local.none.x}", "!Attempt to get attribute from null value"},
    {"${local.nope}", "!Reference to undeclared local value"},
    {"${var.nope}", "!Reference to undeclared input variable"},
    {"${var.e}", "!No value for required variable"},
    {"${local.c1}", "!Cycle"},
    {"${each.key}", "!Reference to \"each\" in context without for_each"},
    {"${lifecheck}", "!Invalid reference"},
    {"${terraform.workspace}", "cty.StringVal(\"default\")"},
    {"${terraform.us}", "!Invalid \"terraform\" attribute"},
    {"${toset([\"b\", \"a\", \"b\"])}",
     "cty.SetVal([]cty.Value{cty.StringVal(\"a\"), cty.StringVal(\"b\")})"},
    {"${keys(local.m)}", "cty.TupleVal([]cty.Value{cty.StringVal(\"a\"), cty.StringVal(\"b\")})"},
    {"${values(local.m)}", "cty.TupleVal([]cty.Value{cty.StringVal(\"1\"), cty.StringVal(\"2\")})"},
    {"${merge(local.m, {a = 3})}",
     "cty.ObjectVal(map[string]cty.Value{\"a\":cty.NumberIntVal(3), \"b\":cty.StringVal(\"2\")})"},
    {"${{for k, v in local.m : upper(k) => v if k != \"b\"}}",
     "cty.ObjectVal(map[string]cty.Value{\"A\":cty.StringVal(\"1\")})"},
    {"${[for i, x in local.l : \"${i}${x}\"]}",
     "cty.TupleVal([]cty.Value{cty.StringVal(\"0x\"), cty.StringVal(\"1y\")})"},
    {"${{for x in [\"a\", \"b\", \"a\"] : x => x...}}",
     "cty.ObjectVal(map[string]cty.Value{\"a\":cty.TupleVal([]cty.Value{cty.StringVal(\"a\"), "
     "cty.StringVal(\"a\")}), \"b\":cty.TupleVal([]cty.Value{cty.StringVal(\"b\")})})"},
    {"${{for x in [\"a\", \"a\"] : x => x}}", "!Duplicate object key"},
    {"${[for x in 1 : x]}", "!Iteration over non-iterable value"},
    {"${[{a = 1}, {a = 2}][*].a}",
     "cty.TupleVal([]cty.Value{cty.NumberIntVal(1), cty.NumberIntVal(2)})"},
    {"${local.none[*]}", "cty.EmptyTupleVal"},
    {"${length(local.l) + length(\"h\xc3\xa4\")}", "cty.NumberIntVal(4)"},
    {"${concat(local.l, [1])[2]}", "cty.NumberIntVal(1)"},
    {"${join(\"-\", local.l)}", "cty.StringVal(\"x-y\")"},
    {"${split(\",\", \"a,b\")[1]}", "cty.StringVal(\"b\")"},
    {"${format(\"%s-%d%%\", \"a\", 3)}", "cty.StringVal(\"a-3%\")"},
    {"${lookup(local.m, \"z\", \"d\")}", "cty.StringVal(\"d\")"},
    {"${try(local.o.z, \"d\")}", "cty.StringVal(\"d\")"},
    {"${can(local.o.x)}", "cty.True"},
    {"${nope(1)}", "!Call to unknown function"},
    {"${length()}", "!Not enough function arguments"},
    {"${length(null)}", "!Invalid function argument"},
    {"${pow([1, 2]...) + 1}", "cty.NumberIntVal(2)"},
    {"${concat([[1], [2]]...)[1]}", "cty.NumberIntVal(2)"},
    {"${local.half.sure}", "cty.StringVal(\"s\")"},
    {"${local.half.not}", "cty.NumberIntVal(1)"},
    {"${keys(local.half)[0]}", "cty.StringVal(\"not\")"},
    {"${1.5 + 1}", "cty.NumberFloatVal(2.5)"},
    {"${terraform_data.a.id}", "?what is planned is not known here"},
    {"${path.module}", "cty.StringVal(\".\")"},
    {"${path.cwd}", "?the working directory is not known"},
    {"${sort(distinct([\"b\", \"a\", \"b\"]))[0]}", "cty.StringVal(\"a\")"},
    {"${reverse([1, 2])}", "cty.TupleVal([]cty.Value{cty.NumberIntVal(2), cty.NumberIntVal(1)})"},
    {"${compact([\"\", \"a\", null])}", "cty.ListVal([]cty.Value{cty.StringVal(\"a\")})"},
    {"${setunion([\"a\"], [\"b\"])}",
     "cty.SetVal([]cty.Value{cty.StringVal(\"a\"), cty.StringVal(\"b\")})"},
    {"${setsubtract([\"a\", \"b\"], [\"b\"])}", "cty.SetVal([]cty.Value{cty.StringVal(\"a\")})"},
    {"${setintersection([\"a\", \"b\"], [\"b\"])}",
     "cty.SetVal([]cty.Value{cty.StringVal(\"b\")})"},
    {"${slice([1, 2, 3], 1, 2)}", "cty.TupleVal([]cty.Value{cty.NumberIntVal(2)})"},
    {"${replace(\"a-b\", \"-\", \"_\")}", "cty.StringVal(\"a_b\")"},
    {"${trimprefix(\"eu-1\", \"eu-\")}${trimsuffix(\"1-x\", \"-x\")}", "cty.StringVal(\"11\")"},
    {"${strcontains(\"abc\", \"b\")}", "cty.True"},
    {"${min(3, 2) + max(1, 5)}", "cty.NumberIntVal(7)"},
    {"%{ if true }a%{ endif }", "cty.StringVal(\"a\")"},
    {"${", "!Missing expression"},
    {"${1", "!Unclosed template interpolation sequence"},
    {"${1 2}", "!Extra characters after interpolation expression"},
    {"${[1 2]}", "!Missing item separator"},
    {"${$}", "!Invalid character"},
    {"${\"a\\q\"}", "!Invalid escape sequence"},
    {"${(1}", "!Unbalanced parentheses"},
    {"${a.}", "!Invalid attribute name"},
    {"${timestamp()}", "cty.UnknownVal(cty.String).RefineNotNull()"},
};

/* What functions, steps and operators make of unknowns, nulls and other types. */
static const row corners[] = {
    {"${keys(tomap(local.m))}",
     "cty.ListVal([]cty.Value{cty.StringVal(\"a\"), cty.StringVal(\"b\")})"},
    {"${keys([1])}", "!Invalid function argument"},
    {"${setunion([true], local.m)}", "!Invalid function argument"},
    {"${keys({}) == []}", "cty.True"},
    {"${values(tomap(local.m))}",
     "cty.ListVal([]cty.Value{cty.StringVal(\"1\"), cty.StringVal(\"2\")})"},
    {"${values(1)}", "!Error in function call"},
    {"${merge(null, {a = 1})}", "cty.ObjectVal(map[string]cty.Value{\"a\":cty.NumberIntVal(1)})"},
    {"${merge({a = 1}, [1])}", "!Error in function call"},
    {"${merge()}", "cty.EmptyObjectVal"},
    {"${merge({a = timestamp()}, {b = 1})}",
     "cty.ObjectVal(map[string]cty.Value{\"a\":cty.UnknownVal(cty.String).RefineNotNull(), "
     "\"b\":cty.NumberIntVal(1)})"},
    {"${zipmap([\"b\", \"a\"], [1, true])}",
     "cty.ObjectVal(map[string]cty.Value{\"a\":cty.True, \"b\":cty.NumberIntVal(1)})"},
    {"${zipmap([\"a\", \"b\", \"a\"], [1, 2, 3])}",
     "cty.ObjectVal(map[string]cty.Value{\"a\":cty.NumberIntVal(3), \"b\":cty.NumberIntVal(2)})"},
    {"${zipmap(tolist([\"a\"]), tolist([\"x\"]))}",
     "cty.MapVal(map[string]cty.Value{\"a\":cty.StringVal(\"x\")})"},
    {"${zipmap([1], [\"x\"])}", "cty.ObjectVal(map[string]cty.Value{\"1\":cty.StringVal(\"x\")})"},
    {"${zipmap([\"a\"], [timestamp()])}",
     "cty.ObjectVal(map[string]cty.Value{\"a\":cty.UnknownVal(cty.String).RefineNotNull()})"},
    {"${zipmap([timestamp()], [\"x\"])}", "cty.DynamicVal"},
    {"${zipmap([\"a\"], [])}", "!Error in function call"},
    {"${zipmap([null], [\"x\"])}", "!Error in function call"},
    {"${zipmap([[]], [\"x\"])}", "!Invalid function argument"},
    {"${zipmap(\"a\", [\"x\"])}", "!Invalid function argument"},
    {"${zipmap([\"a\"], toset([\"x\"]))}", "!Error in function call"},
    {"${lookup(local.m, \"b\")}", "cty.StringVal(\"2\")"},
    {"${lookup(tomap(local.m), \"b\", \"d\")}", "cty.StringVal(\"2\")"},
    {"${lookup(tomap(local.m), \"z\", 3)}", "cty.StringVal(\"3\")"},
    {"${lookup(tomap(local.m), \"z\", [])}", "!Invalid function argument"},
    {"${lookup(local.m, \"z\")}", "!Invalid function argument"},
    {"${lookup(local.m, \"a\", timestamp())}", "cty.StringVal(\"1\")"},
    {"${lookup(local.m, \"z\", timestamp())}", "cty.UnknownVal(cty.String).RefineNotNull()"},
    {"${lookup(local.m, \"z\", null)}", "cty.NullVal(cty.DynamicPseudoType)"},
    {"${lookup(local.m, timestamp(), 1)}", "cty.DynamicVal"},
    {"${lookup([1], \"a\", 1)}", "!Invalid function argument"},
    {"${lookup(local.m, [], 1)}", "!Invalid function argument"},
    {"${length(1)}", "!Error in function call"},
    {"${length(toset([timestamp()]))}", "cty.NumberIntVal(1)"},
    {"${length(toset([timestamp(), \"a\"]))}",
     "cty.UnknownVal(cty.Number).Refine().NotNull().NumberLowerBound(cty.NumberIntVal(1), "
     "true).NumberUpperBound(cty.NumberIntVal(2), true).NewValue()"},
    {"${length([timestamp(), \"a\"])}", "cty.NumberIntVal(2)"},
    {"${concat([1], toset([2]))}", "!Invalid function argument"},
    {"${concat(tolist([\"a\"]), [\"b\"])[1]}", "cty.StringVal(\"b\")"},
    {"${element([\"a\", \"b\", \"c\"], 4)}", "cty.StringVal(\"b\")"},
    {"${element([], 0)}", "!Error in function call"},
    {"${element(toset([\"a\"]), 0)}", "!Error in function call"},
    {"${element([\"a\"], 0.5)}", "!Error in function call"},
    {"${element([\"a\", timestamp()], 0)}", "cty.StringVal(\"a\")"},
    {"${contains([\"a\", \"b\"], \"b\")}", "cty.True"},
    {"${contains([\"a\", \"b\"], \"c\")}", "cty.False"},
    {"${contains([1], \"1\")}", "cty.False"},
    {"${contains(var.r, \"us\")}", "cty.True"},
    {"${contains([timestamp(), \"a\"], \"a\")}", "cty.True"},
    {"${contains([timestamp(), \"a\"], \"b\")}", "cty.UnknownVal(cty.Bool).RefineNotNull()"},
    {"${contains([\"a\"], timestamp())}", "cty.UnknownVal(cty.Bool).RefineNotNull()"},
    {"${contains([], timestamp())}", "cty.UnknownVal(cty.Bool).RefineNotNull()"},
    {"${contains(try([timestamp()], 1), \"a\")}", "cty.DynamicVal"},
    {"${contains(\"a\", \"a\")}", "!Error in function call"},
    {"${contains([\"a\"], null)}", "!Invalid function argument"},
    {"${range(3)}",
     "cty.ListVal([]cty.Value{cty.NumberIntVal(0), cty.NumberIntVal(1), cty.NumberIntVal(2)})"},
    {"${range(-2)}", "cty.ListVal([]cty.Value{cty.NumberIntVal(0), cty.NumberIntVal(-1)})"},
    {"${range(1, 3)}", "cty.ListVal([]cty.Value{cty.NumberIntVal(1), cty.NumberIntVal(2)})"},
    {"${range(3, 1)}", "cty.ListVal([]cty.Value{cty.NumberIntVal(3), cty.NumberIntVal(2)})"},
    {"${range(1, 6, 2)}",
     "cty.ListVal([]cty.Value{cty.NumberIntVal(1), cty.NumberIntVal(3), cty.NumberIntVal(5)})"},
    {"${range(6, 1, -2)}",
     "cty.ListVal([]cty.Value{cty.NumberIntVal(6), cty.NumberIntVal(4), cty.NumberIntVal(2)})"},
    {"${length(range(0))}", "cty.NumberIntVal(0)"},
    {"${range(1, 1, 5)}", "cty.ListValEmpty(cty.Number)"},
    {"${range(1, 4, -1)}", "!Invalid function argument"},
    {"${range(4, 1, 1)}", "!Invalid function argument"},
    {"${range(1, 2, 0)}", "!Error in function call"},
    {"${length(range(1024))}", "cty.NumberIntVal(1024)"},
    {"${range(1025)}", "!Error in function call"},
    {"${range(9223372036854775806, 9223372036854775807, 5)}",
     "cty.ListVal([]cty.Value{cty.NumberIntVal(9.223372036854775806e+18)})"},
    {"${range(1.5)}", "cty.ListVal([]cty.Value{cty.NumberIntVal(0), cty.NumberIntVal(1)})"},
    {"${range(\"x\")}", "!Invalid function argument"},
    {"${flatten([[1, [2]], 3, toset([4])])}",
     "cty.TupleVal([]cty.Value{cty.NumberIntVal(1), cty.NumberIntVal(2), cty.NumberIntVal(3), "
     "cty.NumberIntVal(4)})"},
    {"${flatten([])}", "cty.EmptyTupleVal"},
    {"${flatten([[timestamp()], [null]])}",
     "cty.TupleVal([]cty.Value{cty.UnknownVal(cty.String).RefineNotNull(), "
     "cty.NullVal(cty.DynamicPseudoType)})"},
    {"${flatten([toset([timestamp(), \"a\"])])}", "cty.DynamicVal"},
    {"${flatten([try([timestamp()], 1)])}", "cty.DynamicVal"},
    {"${flatten([split(\",\", timestamp())])}", "cty.DynamicVal"},
    {"${flatten({a = 1})}", "!Error in function call"},
    {"${one([])}", "cty.NullVal(cty.DynamicPseudoType)"},
    {"${one(toset([\"a\"]))}", "cty.StringVal(\"a\")"},
    {"${one([1, 2])}", "!Invalid function argument"},
    {"${one(1)}", "!Invalid function argument"},
    {"${coalesce(null, \"\", \"a\", \"b\")}", "cty.StringVal(\"a\")"},
    {"${coalesce(1, \"a\")}", "cty.StringVal(\"1\")"},
    {"${coalesce(\"a\", timestamp())}", "cty.StringVal(\"a\")"},
    {"${coalesce(null, timestamp(), \"a\")}", "cty.UnknownVal(cty.String).RefineNotNull()"},
    {"${coalesce(null, \"\")}", "!Error in function call"},
    {"${coalesce([\"a\"], \"b\")}", "!Error in function call"},
    {"${coalesce(0, 1)}", "cty.NumberIntVal(0)"},
    {"${reverse(tolist([\"a\", \"b\"]))}",
     "cty.ListVal([]cty.Value{cty.StringVal(\"b\"), cty.StringVal(\"a\")})"},
    {"${reverse(1)}", "!Invalid function argument"},
    {"${slice(tolist([\"a\", \"b\"]), 0, 1)}", "cty.ListVal([]cty.Value{cty.StringVal(\"a\")})"},
    {"${slice([1, 2], 1, 2)}", "cty.TupleVal([]cty.Value{cty.NumberIntVal(2)})"},
    {"${slice([1, 2], 0, 3)}", "!Invalid function argument"},
    {"${slice([1, 2], 2, 1)}", "!Invalid function argument"},
    {"${slice([1, 2], -1, 1)}", "!Invalid function argument"},
    {"${slice([1, 2], 2, 2)}", "cty.EmptyTupleVal"},
    {"${slice([1, 2], 0, 0.5)}", "!Invalid function argument"},
    {"${slice(toset([\"a\"]), 0, 1)}", "!Invalid function argument"},
    {"${lower(\"AbZ[`\")}", "cty.StringVal(\"abz[`\")"},
    {"${upper(\"abz{@\")}", "cty.StringVal(\"ABZ{@\")"},
    {"${upper(\"Ã¤ß\")}", "cty.StringVal(\"Ã¤ß\")"},
    {"${lower([])}", "!Invalid function argument"},
    {"${join(\",\", [\"a\"], toset([\"b\", \"c\"]))}", "cty.StringVal(\"a,b,c\")"},
    {"${join(\",\", [null])}", "!Invalid function argument"},
    {"${join(\",\", \"a\")}", "!Invalid function argument"},
    {"${split(\"ab\", \"xabyab\")}",
     "cty.ListVal([]cty.Value{cty.StringVal(\"x\"), cty.StringVal(\"y\"), cty.StringVal(\"\")})"},
    {"${split(\",\", \"\")}", "cty.ListVal([]cty.Value{cty.StringVal(\"\")})"},
    {"${split(\"\", \"ab\")}",
     "cty.ListVal([]cty.Value{cty.StringVal(\"a\"), cty.StringVal(\"b\")})"},
    {"${split(\",\", [])}", "!Invalid function argument"},
    {"${startswith(\"ab\", \"a\")}", "cty.True"},
    {"${startswith(\"a\", \"ab\")}", "cty.False"},
    {"${endswith(\"ab\", \"b\")}", "cty.True"},
    {"${endswith(\"ab\", \"a\")}", "cty.False"},
    {"${trimspace(\" \\n a b\\t \")}", "cty.StringVal(\"a b\")"},
    {"${trimspace(\"  \")}", "cty.StringVal(\"\")"},
    {"${trimspace([])}", "!Invalid function argument"},
    {"${strcontains(\"abc\", \"bc\")}", "cty.True"},
    {"${strcontains(\"abc\", \"cb\")}", "cty.False"},
    {"${strcontains(\"abc\", \"\")}", "cty.True"},
    {"${strcontains(\"a\", [])}", "!Invalid function argument"},
    {"${trimprefix(\"ab\", \"b\")}", "cty.StringVal(\"ab\")"},
    {"${trimsuffix(\"ab\", \"a\")}", "cty.StringVal(\"ab\")"},
    {"${trimprefix(\"ab\", [])}", "!Invalid function argument"},
    {"${trimsuffix(\"ab\", [])}", "!Invalid function argument"},
    {"${replace(\"aXbX\", \"X\", \"\")}", "cty.StringVal(\"ab\")"},
    {"${replace(\"aXa\", \"/(X)|^a/\", \"<$1>$$\")}", "cty.StringVal(\"<>$<X>$a\")"},
    {"${replace(\"a\", \"\", \"b\")}", "cty.StringVal(\"bab\")"},
    {"${replace(\"a\", \"a\", [])}", "!Invalid function argument"},
    {"${format(\"%s %v %d\", true, 1.5, 3)}", "cty.StringVal(\"true 1.5 3\")"},
    {"${format(\"%s\")}", "!Error in function call"},
    {"${format(\"x\", 1)}", "!Invalid function argument"},
    {"${format(\"%5d\", 1)}", "cty.StringVal(\"    1\")"},
    {"${format(\"%d\", \"1\")}", "cty.StringVal(\"1\")"},
    {"${format(\"%s\", [1])}", "!Error in function call"},
    {"${format(\"%v\", null)}", "cty.StringVal(\"null\")"},
    {"${format(\"100%\")}", "!Error in function call"},
    {"${format(null)}", "!Invalid function argument"},
    {"${format(\"%s\", timestamp())}", "cty.UnknownVal(cty.String).RefineNotNull()"},
    {"${max(\"3\", 2)}", "cty.NumberIntVal(3)"},
    {"${min([])}", "!Invalid function argument"},
    {"${min(1, null)}", "!Invalid function argument"},
    {"${sort([\"b\", null])}", "!Error in function call"},
    {"${sort(\"b\")}", "!Invalid function argument"},
    {"${sort([[]])}", "!Invalid function argument"},
    {"${sort([2, 10])}", "cty.ListVal([]cty.Value{cty.StringVal(\"10\"), cty.StringVal(\"2\")})"},
    {"${sort([timestamp()])}", "cty.ListVal([]cty.Value{cty.UnknownVal(cty.String)})"},
    {"${compact(\"a\")}", "!Invalid function argument"},
    {"${compact([1, \"\"])}", "cty.ListVal([]cty.Value{cty.StringVal(\"1\")})"},
    {"${distinct([1, 1])}", "cty.ListVal([]cty.Value{cty.NumberIntVal(1)})"},
    {"${distinct([\"a\", null])}",
     "cty.ListVal([]cty.Value{cty.StringVal(\"a\"), cty.NullVal(cty.String)})"},
    {"${distinct(\"a\")}", "!Invalid function argument"},
    {"${distinct([\"b\", \"a\", \"b\"])}",
     "cty.ListVal([]cty.Value{cty.StringVal(\"b\"), cty.StringVal(\"a\")})"},
    {"${setunion([1], [\"a\"])}",
     "cty.SetVal([]cty.Value{cty.StringVal(\"1\"), cty.StringVal(\"a\")})"},
    {"${setunion([\"a\"], \"b\")}", "!Invalid function argument"},
    {"${setintersection([\"a\", \"a\"], [\"b\"])}", "cty.SetValEmpty(cty.String)"},
    {"${setintersection([\"a\", \"c\"], [\"c\", \"a\"], [\"a\"])}",
     "cty.SetVal([]cty.Value{cty.StringVal(\"a\")})"},
    {"${setsubtract([\"a\", \"b\", \"b\"], [\"a\"])}",
     "cty.SetVal([]cty.Value{cty.StringVal(\"b\")})"},
    {"${tostring(1)}", "cty.StringVal(\"1\")"},
    {"${tostring(null)}", "cty.NullVal(cty.String)"},
    {"${tostring([])}", "!Invalid function argument"},
    {"${tonumber(\"1\")}", "cty.NumberIntVal(1)"},
    {"${tonumber(\"x\")}", "!Invalid function argument"},
    {"${tobool(\"true\")}", "cty.True"},
    {"${tobool(\"x\")}", "!Invalid function argument"},
    {"${tomap({a = 1})}", "cty.MapVal(map[string]cty.Value{\"a\":cty.NumberIntVal(1)})"},
    {"${tomap([1])}", "!Invalid function argument"},
    {"${tolist(var.r)}", "cty.ListVal([]cty.Value{cty.StringVal(\"eu\"), cty.StringVal(\"us\")})"},
    {"${tonumber(timestamp())}", "cty.UnknownVal(cty.Number)"},
    {"${core::length([1])}", "cty.NumberIntVal(1)"},
    {"${abs(-3)}", "cty.NumberIntVal(3)"},
    {"${abs([])}", "!Invalid function argument"},
    {"${floor([])}", "!Invalid function argument"},
    {"${ceil(null)}", "!Invalid function argument"},
    {"${strrev([])}", "!Invalid function argument"},
    {"${title([])}", "!Invalid function argument"},
    {"${basename([])}", "!Invalid function argument"},
    {"${chomp(null)}", "!Invalid function argument"},
    {"${substr([], 0, 1)}", "!Invalid function argument"},
    {"${trim(\"a\", [])}", "!Invalid function argument"},
    {"${indent([], \"a\")}", "!Invalid function argument"},
    {"${base64encode([])}", "!Invalid function argument"},
    {"${floor(\"3\")}", "cty.NumberIntVal(3)"},
    {"${ceil(1.5)}", "cty.NumberIntVal(2)"},
    {"${signum(-4)}", "cty.NumberIntVal(-1)"},
    {"${sum([1, \"2\"])}", "cty.NumberIntVal(3)"},
    {"${sum([])}", "!Invalid function argument"},
    {"${chomp(\"a\\r\\n\\n\")}", "cty.StringVal(\"a\")"},
    {"${strrev(\"abc\")}", "cty.StringVal(\"cba\")"},
    {"${strrev(\"\u00fc\")}", "cty.StringVal(\"\u00fc\")"},
    {"${substr(\"hello\", -3, 2)}", "cty.StringVal(\"ll\")"},
    {"${substr(\"hello\", 1, -1)}", "cty.StringVal(\"ello\")"},
    {"${substr(\"hello\", 9, 1)}", "cty.StringVal(\"\")"},
    {"${trim(\"?!a?!\", \"!?\")}", "cty.StringVal(\"a\")"},
    {"${trim(\"??\", \"?\")}", "cty.StringVal(\"\")"},
    {"${indent(2, \"a\\nb\")}", "cty.StringVal(\"a\\n  b\")"},
    {"${title(\"it's_a-b c\")}", "cty.StringVal(\"It'S_a-B C\")"},
    {"${title(\"Aa Zz bA 9a\")}", "cty.StringVal(\"Aa Zz BA 9a\")"},
    {"${basename(\"a/b/\")}", "cty.StringVal(\"b\")"},
    {"${base64encode(\"Hello\")}", "cty.StringVal(\"SGVsbG8=\")"},
    {"${alltrue([true, \"true\"])}", "cty.True"},
    {"${alltrue([true, null])}", "cty.False"},
    {"${anytrue([false, null])}", "cty.False"},
    {"${index([\"a\", \"b\"], \"b\")}", "cty.NumberIntVal(1)"},
    {"${index([], \"b\")}", "!Error in function call"},
    {"${jsonencode({b = [true, null], a = \"<\"})}",
     "cty.StringVal(\"{\\\"a\\\":\\\"\\\\u003c\\\",\\\"b\\\":[true,null]}\")"},
    {"${\"\\u00e9\"}", "cty.StringVal(\"\u00e9\")"},
    {"${\"\\u12\"}", "!Invalid escape sequence"},
    {"${{local.a = 1}}", "!Ambiguous attribute key"},
    {"${element([\"a\"], -1)}", "cty.StringVal(\"a\")"},
    {"${1 / 0}", "cty.NumberFloatVal(+Inf)"},
    {"${max()}", "!Error in function call"},
    {"${core::md5(1)}", "cty.StringVal(\"c4ca4238a0b923820dcc509a6f75849b\")"},
    {"${provider::x::y(1)}", "!Unknown function provider"},
    {"${length([1], [2])}", "!Too many function arguments"},
    {"${try(local.o.z, local.o.y)}", "!Error in function call"},
    {"${try(local.o.z, timestamp())}", "cty.DynamicVal"},
    {"${try([timestamp()], 1)}", "cty.DynamicVal"},
    {"${can(local.o.z)}", "cty.False"},
    {"${can(timestamp())}", "cty.UnknownVal(cty.Bool)"},
    {"${can(md5(1))}", "cty.True"},
    {"${timestamp().a}", "!Unsupported attribute"},
    {"${try([timestamp()], 1).a}", "cty.DynamicVal"},
    {"${try([timestamp()], 1)[\"a\"]}", "cty.DynamicVal"},
    {"${try([timestamp()], 1)[*].a}", "cty.DynamicVal"},
    {"${split(\",\", timestamp())[0]}", "cty.UnknownVal(cty.String)"},
    {"${tolist(local.l)[timestamp()]}", "cty.UnknownVal(cty.String)"},
    {"${local.l[timestamp()]}", "cty.DynamicVal"},
    {"${local.l[0.5]}", "!Invalid index"},
    {"${local.l[\"x\"]}", "!Invalid index"},
    {"${local.l[\"1\"]}", "cty.StringVal(\"y\")"},
    {"${local.l[-1]}", "!Invalid index"},
    {"${local.l[null]}", "!Invalid index"},
    {"${local.none[0]}", "!Attempt to index null value"},
    {"${local.l.x}", "!Unsupported attribute"},
    {"${local.l.0}", "cty.StringVal(\"x\")"},
    {"${local.m[\"z\"]}", "!Invalid index"},
    {"${tomap(local.m).z}", "!Missing map element"},
    {"${local.l[local.nope]}", "!Reference to undeclared local value"},
    {"${[local.nope]}", "!Reference to undeclared local value"},
    {"${{a = 1, a = 2}}", "cty.ObjectVal(map[string]cty.Value{\"a\":cty.NumberIntVal(2)})"},
    {"${{(null) = 1}}", "!Null value as key"},
    {"${{([]) = 1}}", "!Incorrect key type"},
    {"${{(timestamp()) = 1}}", "cty.DynamicVal"},
    {"${{a = local.nope}}", "!Reference to undeclared local value"},
    {"${[for x in null : x]}", "!Iteration over null value"},
    {"${[for x in try([timestamp()], 1) : x]}", "cty.DynamicVal"},
    {"${[for x in local.nope : x]}", "!Reference to undeclared local value"},
    {"${[for x in [1] : x if local.nope]}", "!Reference to undeclared local value"},
    {"${[for x in [1] : x if null]}", "!Condition is null"},
    {"${[for x in [1] : x if []]}", "!Invalid 'for' condition"},
    {"${[for x in [1, 2] : x if timestamp() == \"a\"]}", "cty.DynamicVal"},
    {"${[for x in [1] : local.nope]}", "!Reference to undeclared local value"},
    {"${{for x in [1] : local.nope => x}}", "!Reference to undeclared local value"},
    {"${{for x in [\"a\"] : x => x if timestamp() == \"a\"}}", "cty.DynamicVal"},
    {"${{for x in [null] : x => 1}}", "!Invalid object key"},
    {"${{for x in [timestamp(), \"a\"] : x => 1}}", "cty.DynamicVal"},
    {"${[for k, v in tomap(local.m) : \"${k}${v}\"]}",
     "cty.TupleVal([]cty.Value{cty.StringVal(\"a1\"), cty.StringVal(\"b2\")})"},
    {"${[for k, v in var.r : \"${k}${v}\"]}",
     "cty.TupleVal([]cty.Value{cty.StringVal(\"eueu\"), cty.StringVal(\"usus\")})"},
    {"${[for x in [\"a\"] : [for y in [\"b\"] : \"${x}${y}\"]]}",
     "cty.TupleVal([]cty.Value{cty.TupleVal([]cty.Value{cty.StringVal(\"ab\")})})"},
    {"${[for x in [\"a\"] : [for x in [\"b\"] : x]]}",
     "cty.TupleVal([]cty.Value{cty.TupleVal([]cty.Value{cty.StringVal(\"b\")})})"},
    {"${[for x in [1] : y]}", "!Invalid reference"},
    {"${local.l[*]}", "cty.TupleVal([]cty.Value{cty.StringVal(\"x\"), cty.StringVal(\"y\")})"},
    {"${local.nope[*]}", "!Reference to undeclared local value"},
    {"${{a = 1}[*].a}", "cty.TupleVal([]cty.Value{cty.NumberIntVal(1)})"},
    {"${[{a = [1, 2]}].*.a}", "cty.TupleVal([]cty.Value{cty.TupleVal([]cty.Value{cty.NumberIntVal("
                              "1), cty.NumberIntVal(2)})})"},
    {"${local.nope ? 1 : 2}", "!Reference to undeclared local value"},
    {"${[] ? 1 : 2}", "!Incorrect condition type"},
    {"${timestamp() == \"a\" ? 1 : 2}",
     "cty.UnknownVal(cty.Number).Refine().NotNull().NumberLowerBound(cty.NumberIntVal(1), "
     "true).NumberUpperBound(cty.NumberIntVal(2), true).NewValue()"},
    {"${true ? local.nope : 1}", "!Reference to undeclared local value"},
    {"${true ? 1 : local.nope}", "!Reference to undeclared local value"},
    {"${false ? 1 : null}", "cty.NullVal(cty.Number)"},
    {"${true ? timestamp() : 1}", "cty.UnknownVal(cty.String).RefineNotNull()"},
    {"${concat([1], {a = 1}...)}", "!Invalid expanding argument value"},
    {"${concat([1], timestamp()...)}", "!Invalid expanding argument value"},
    {"${concat([1], [[2], [3]]...)}",
     "cty.TupleVal([]cty.Value{cty.NumberIntVal(1), cty.NumberIntVal(2), cty.NumberIntVal(3)})"},
    {"${merge([{a = 1}, {b = 2}]...)}",
     "cty.ObjectVal(map[string]cty.Value{\"a\":cty.NumberIntVal(1), \"b\":cty.NumberIntVal(2)})"},
    {"${length(local.nope)}", "!Reference to undeclared local value"},
    {"${1 + null}", "!Operation failed"},
    {"${1 + tostring(null)}", "!Operation failed"},
    {"${null && true}", "cty.False"},
    {"${-[]}", "!Invalid operand"},
    {"${![]}", "!Invalid operand"},
    {"${!timestamp()}", "cty.UnknownVal(cty.Bool).RefineNotNull()"},
    {"${-timestamp()}", "cty.UnknownVal(cty.Number).RefineNotNull()"},
    {"${timestamp() + 1}", "cty.UnknownVal(cty.Number).RefineNotNull()"},
    {"${timestamp() < 1}", "cty.UnknownVal(cty.Bool).RefineNotNull()"},
    {"${1 + local.nope}", "!Reference to undeclared local value"},
    {"${2 * 3 - 7 % 4}", "cty.NumberIntVal(3)"},
    {"${7 / 2}", "cty.NumberFloatVal(3.5)"},
    {"${6 / 3}", "cty.NumberIntVal(2)"},
    {"${5 % 0}", "cty.NumberIntVal(5)"},
    {"${9223372036854775807 + 1}", "cty.NumberIntVal(9.223372036854775808e+18)"},
    {"${1 < 1}", "cty.False"},
    {"${1 <= 1}", "cty.True"},
    {"${1 > 1}", "cty.False"},
    {"${1 >= 1}", "cty.True"},
    {"${1 != 2}", "cty.True"},
    {"${null == 1}", "cty.False"},
    {"${timestamp() == 1}", "cty.False"},
    {"${false || timestamp() == \"a\"}", "cty.UnknownVal(cty.Bool).RefineNotNull()"},
    {"${true || timestamp() == \"a\"}", "cty.True"},
    {"${false && timestamp() == \"a\"}", "cty.False"},
    {"${true && true}", "cty.True"},
    {"${true && false}", "cty.False"},
    {"${false || false}", "cty.False"},
    {"${1e3 + 1.5E-0}", "cty.NumberFloatVal(1001.5)"},
    {"${1e2}", "cty.NumberIntVal(100)"},
    {"${2E+1}", "cty.NumberIntVal(20)"},
    {"${[1, # one\n2, // two\n3 /* three */]}",
     "cty.TupleVal([]cty.Value{cty.NumberIntVal(1), cty.NumberIntVal(2), cty.NumberIntVal(3)})"},
    {"${/*/ a */ 1 /**/}", "cty.NumberIntVal(1)"},
    {"${/* a */ 1}", "cty.NumberIntVal(1)"},
    {"${{a = 1\nb = 2}}",
     "cty.ObjectVal(map[string]cty.Value{\"a\":cty.NumberIntVal(1), \"b\":cty.NumberIntVal(2)})"},
    {"${{a 1}}", "!Missing key/value separator"},
    {"${{a = 1 b = 2}}", "!Missing attribute separator"},
    {"${{a = }}", "!Invalid expression"},
    {"${[for x [1] : x]}", "!Invalid 'for' expression"},
    {"${[for x in [1] x]}", "!Invalid 'for' expression"},
    {"${{for x in [1] : x}}", "!Invalid 'for' expression"},
    {"${[for x in [1] : x x]}", "!Invalid 'for' expression"},
    {"${local.l[0}", "!Missing close bracket on index"},
    {"${local.l[*}", "!Missing close bracket on splat index"},
    {"${length([1] {})}", "!Missing argument separator"},
    {"${{a = [1,\n2] b = 3}}", "!Missing attribute separator"},
    {"${{a = 1 # one\nb = 2}.b}", "cty.NumberIntVal(2)"},
    {"${{\na = 1\n}.a}", "cty.NumberIntVal(1)"},
    {"${length(}", "!Invalid expression"},
    {"${true ? 1}", "!Missing false expression in conditional"},
    {"${true ? : 1}", "!Invalid expression"},
    {"${1 +}", "!Invalid expression"},
    {"${\"a}", "!Unterminated template string"},
    {"${<<EOT}", "!Invalid expression"},
    {"${[1][1 +]}", "!Invalid expression"},
    {"${[1][0}", "!Missing close bracket on index"},
    {"${[1].}", "!Invalid attribute name"},
    {"${[[1]][0][0]}", "cty.NumberIntVal(1)"},
};

typedef struct bench {
    one_file file;
    lc_module_scope *scope;
} bench;

static void set_up(bench *b, const char *text)
{
    one_file_read(&b->file, LC_PROFILE_OPENTOFU, text);
    b->scope = lc_module_scope_new(b->file.arena, &b->file.around, b->file.config.root, NULL, NULL);
}

/* What a row's template comes to, in the table's form. */
static const char *outcome(bench *b, const char *text)
{
    const lc_expr *e;
    lc_eval_error trouble = {0};
    lc_marked v;
    lc_buf buf = {0};
    if (!lc_template_parse(&e, b->file.arena, lc_str_from_c(text), (lc_source_pos){0}, &trouble) ||
        !lc_scope_evaluate(&v, b->scope, e, NULL, &trouble)) {
        bool core = trouble.summary.len > 0;
        lc_buf_printf(&buf, "%c%.*s", core ? '!' : '-',
                      LC_FMT(core ? trouble.summary : trouble.detail));
    } else if (lc_marks_all(v) & LC_MARK_UNDECIDED) {
        lc_buf_printf(&buf, "?%.*s", LC_FMT(v.marks->undecided->reason));
    } else {
        lc_value_add_go(&buf, v.value);
    }
    char *out = lc_str_to_c(b->file.arena, lc_buf_str(&buf));
    lc_buf_release(&buf);
    return out;
}

static void check_row(const row *r)
{
    bench b;
    set_up(&b, configuration);
    const char *got = outcome(&b, r->in);
    ck_assert_msg(lc_str_is(lc_str_from_c(got), r->want), "%s\n  want %s\n  got  %s", r->in,
                  r->want, got);
    lc_arena_free(b.file.arena);
}

START_TEST(template_values)
{
    check_row(&templates[_i]);
}
END_TEST

START_TEST(corner_values)
{
    check_row(&corners[_i]);
}
END_TEST

static lc_marked evaluated(bench *b, const char *text)
{
    const lc_expr *e;
    lc_eval_error trouble;
    lc_marked v = {NULL, NULL};
    ck_assert_msg(
        lc_template_parse(&e, b->file.arena, lc_str_from_c(text), (lc_source_pos){0}, &trouble),
        "%s", text);
    ck_assert_msg(lc_scope_evaluate(&v, b->scope, e, NULL, &trouble), "%s", text);
    return v;
}

START_TEST(marks_stay_where_they_are)
{
    bench b;
    set_up(&b, configuration);
    ck_assert_uint_eq(lc_marks_self(evaluated(&b, "${local.secret}")), 0);
    ck_assert_uint_eq(lc_marks_all(evaluated(&b, "${local.secret}")), LC_MARK_SENSITIVE);
    ck_assert_uint_eq(lc_marks_all(evaluated(&b, "${local.secret.p}")), 0);
    ck_assert_uint_eq(lc_marks_self(evaluated(&b, "${local.secret.k}")), LC_MARK_SENSITIVE);
    ck_assert_uint_eq(lc_marks_all(evaluated(&b, "${keys(local.secret)}")), 0);
    ck_assert_uint_eq(lc_marks_self(evaluated(&b, "${toset(values(local.secret))}")),
                      LC_MARK_SENSITIVE);
    ck_assert_uint_eq(lc_marks_self(evaluated(&b, "x${var.s}")), LC_MARK_SENSITIVE);
    ck_assert_uint_eq(lc_marks_self(evaluated(&b, "${var.s == \"a\" ? 1 : 2}")), LC_MARK_SENSITIVE);
    ck_assert_uint_eq(lc_marks_self(evaluated(&b, "${sensitive(1)}")), LC_MARK_SENSITIVE);
    lc_arena_free(b.file.arena);
}
END_TEST

START_TEST(marks_reach_results)
{
    static const struct {
        const char *in;
        unsigned self, all;
    } rows[] = {
        {"${flatten([[var.s], [1]])}", 0, LC_MARK_SENSITIVE},
        {"${flatten([[var.s], [1]])[1]}", 0, 0},
        {"${flatten([sensitive([\"a\"])])}", LC_MARK_SENSITIVE, LC_MARK_SENSITIVE},
        {"${flatten([[sensitive([\"a\"])]])}", LC_MARK_SENSITIVE, LC_MARK_SENSITIVE},
        {"${flatten([toset([timestamp(), \"a\", var.s])])}", LC_MARK_SENSITIVE, LC_MARK_SENSITIVE},
        {"${zipmap([var.s], [1])}", LC_MARK_SENSITIVE, LC_MARK_SENSITIVE},
        {"${zipmap([\"a\", \"b\"], [var.s, 1])}", 0, LC_MARK_SENSITIVE},
        {"${zipmap([\"a\", \"b\"], [var.s, 1]).b}", 0, 0},
        {"${zipmap([timestamp(), var.s], [1, 2])}", 0, 0},
        {"${tolist([var.s, \"a\"])}", 0, LC_MARK_SENSITIVE},
        {"${tolist([var.s, \"a\"])[1]}", 0, 0},
        {"${tomap(local.secret).p}", 0, 0},
        {"${tomap(local.secret).k}", LC_MARK_SENSITIVE, LC_MARK_SENSITIVE},
        {"${toset([var.s, \"a\"])}", LC_MARK_SENSITIVE, LC_MARK_SENSITIVE},
        {"${lookup(local.secret, \"p\")}", 0, 0},
        {"${lookup(local.secret, \"k\")}", LC_MARK_SENSITIVE, LC_MARK_SENSITIVE},
        {"${lookup(local.m, var.s, \"\")}", LC_MARK_SENSITIVE, LC_MARK_SENSITIVE},
        {"${lookup(local.m, \"a\", var.s)}", 0, 0},
        {"${length(local.secret)}", 0, 0},
        {"${length(sensitive([1]))}", LC_MARK_SENSITIVE, LC_MARK_SENSITIVE},
        {"${contains([var.s], \"x\")}", LC_MARK_SENSITIVE, LC_MARK_SENSITIVE},
        {"${join(\"\", [var.s])}", LC_MARK_SENSITIVE, LC_MARK_SENSITIVE},
        {"${coalesce(var.s, \"x\")}", LC_MARK_SENSITIVE, LC_MARK_SENSITIVE},
        {"${coalesce(\"\", var.s)}", LC_MARK_SENSITIVE, LC_MARK_SENSITIVE},
        {"${{for k in [var.s] : k => 1}}", LC_MARK_SENSITIVE, LC_MARK_SENSITIVE},
        {"${{for k in [\"a\"] : k => var.s}}", 0, LC_MARK_SENSITIVE},
        {"${[for x in [\"a\"] : x if var.s == \"a\"]}", LC_MARK_SENSITIVE, LC_MARK_SENSITIVE},
        {"${[for x in sensitive([\"a\"]) : 1]}", LC_MARK_SENSITIVE, LC_MARK_SENSITIVE},
        {"${[for k, v in local.secret : v][1]}", 0, 0},
        {"${{(var.s) = 1}}", LC_MARK_SENSITIVE, LC_MARK_SENSITIVE},
        {"${{a = var.s}}", 0, LC_MARK_SENSITIVE},
        {"${local.l[sensitive(0)]}", LC_MARK_SENSITIVE, LC_MARK_SENSITIVE},
        {"${reverse([var.s, 1])[0]}", 0, 0},
        {"${reverse([var.s, 1])[1]}", LC_MARK_SENSITIVE, LC_MARK_SENSITIVE},
        {"${slice([var.s, 1], 1, 2)}", 0, 0},
        {"${([{a = var.s}, {a = 1}][*].a)[0]}", LC_MARK_SENSITIVE, LC_MARK_SENSITIVE},
        {"${([{a = var.s}, {a = 1}][*].a)[1]}", 0, 0},
        {"${sensitive(local.none)[*]}", LC_MARK_SENSITIVE, LC_MARK_SENSITIVE},
        {"${merge({a = var.s}, {a = 1, b = 2})}", 0, 0},
        {"${merge({a = 1}, {a = var.s})}", 0, LC_MARK_SENSITIVE},
        {"${merge(sensitive({a = 1}))}", LC_MARK_SENSITIVE, LC_MARK_SENSITIVE},
        {"${try(var.s, 1)}", LC_MARK_SENSITIVE, LC_MARK_SENSITIVE},
        {"${try({a = var.s, b = timestamp()}, 1)}", 0, 0},
        {"${values(local.secret)[1]}", 0, 0},
        {"${one([var.s])}", LC_MARK_SENSITIVE, LC_MARK_SENSITIVE},
        {"${element([1, var.s], 0)}", 0, 0},
        {"${element([1, var.s], sensitive(0))}", LC_MARK_SENSITIVE, LC_MARK_SENSITIVE},
        {"${concat([[var.s], [1]]...)}", 0, LC_MARK_SENSITIVE},
        {"${concat([[var.s], [1]]...)[1]}", 0, 0},
        {"${concat(sensitive([[1]])...)}", LC_MARK_SENSITIVE, LC_MARK_SENSITIVE},
        {"${!sensitive(true)}", LC_MARK_SENSITIVE, LC_MARK_SENSITIVE},
        {"${-sensitive(1)}", LC_MARK_SENSITIVE, LC_MARK_SENSITIVE},
        {"${1 + sensitive(1)}", LC_MARK_SENSITIVE, LC_MARK_SENSITIVE},
        {"${sensitive(1) < 2}", LC_MARK_SENSITIVE, LC_MARK_SENSITIVE},
        {"${1 == sensitive(1)}", LC_MARK_SENSITIVE, LC_MARK_SENSITIVE},
        {"${true ? var.s : 1}", LC_MARK_SENSITIVE, LC_MARK_SENSITIVE},
        {"${true ? 1 : var.s}", LC_MARK_SENSITIVE, LC_MARK_SENSITIVE},
        {"${sensitive(sensitive(1))}", LC_MARK_SENSITIVE, LC_MARK_SENSITIVE},
        {"${range(sensitive(2))}", LC_MARK_SENSITIVE, LC_MARK_SENSITIVE},
        {"${{a = sensitive(timestamp())}[*].a}", 0, LC_MARK_SENSITIVE},
        {"${sensitive(timestamp()) == \"a\" ? 1 : 2}", LC_MARK_SENSITIVE, LC_MARK_SENSITIVE},
    };
    bench b;
    set_up(&b, configuration);
    for (int i = 0; i < ROWS(rows); i++) {
        lc_marked v = evaluated(&b, rows[i].in);
        ck_assert_msg(lc_marks_self(v) == rows[i].self && lc_marks_all(v) == rows[i].all,
                      "%s: %u, %u", rows[i].in, lc_marks_self(v), lc_marks_all(v));
    }
    lc_arena_free(b.file.arena);
}
END_TEST

START_TEST(depth_is_bounded)
{
    bench b;
    set_up(&b, configuration);
    lc_buf buf = {0};
    lc_buf_add_c(&buf, "${");
    for (int i = 0; i < 100000; i++)
        lc_buf_add_c(&buf, i % 2 ? "(" : "!");
    ck_assert_str_eq(outcome(&b, lc_str_to_c(b.file.arena, lc_buf_str(&buf))),
                     "-this is nested too deeply");
    lc_buf_clear(&buf);
    lc_buf_add_c(&buf, "${1");
    for (int i = 0; i < 100000; i++)
        lc_buf_add_c(&buf, " + 1");
    lc_buf_add_c(&buf, "}");
    ck_assert_str_eq(outcome(&b, lc_str_to_c(b.file.arena, lc_buf_str(&buf))),
                     "-this is nested too deeply");
    lc_buf_release(&buf);
    lc_arena_free(b.file.arena);
}
END_TEST

START_TEST(growth_is_bounded)
{
    bench b;
    lc_buf buf = {0};
    lc_buf_add_c(&buf, "{\"locals\":{\"x0\":[1,2]");
    for (int i = 1; i < 60; i++)
        lc_buf_printf(&buf, ",\"x%d\":\"${[local.x%d,local.x%d]}\"", i, i - 1, i - 1);
    lc_buf_add_c(&buf, "}}");
    lc_str text = lc_buf_str(&buf);
    char *copy = malloc(text.len + 1);
    for (size_t i = 0; i <= text.len; i++)
        copy[i] = i < text.len ? text.ptr[i] : '\0';
    set_up(&b, copy);
    ck_assert_str_eq(outcome(&b, "${local.x59}"), "-the value is too large");
    lc_buf_release(&buf);
    lc_arena_free(b.file.arena);
    free(copy);
}
END_TEST

START_TEST(references_are_classified)
{
    static const struct {
        const char *text;
        lc_root root;
        const char *type, *name;
        size_t steps;
    } rows[] = {
        {"var.a.b", LC_ROOT_VARIABLE, "", "a", 1},
        {"demo_disk.a[0].id", LC_ROOT_RESOURCE, "demo_disk", "a", 2},
        {"resource.demo_disk.a", LC_ROOT_RESOURCE, "demo_disk", "a", 0},
        {"data.demo_disk.a[each.key]", LC_ROOT_DATA, "demo_disk", "a", 1},
        {"module.m[\"k\"].o", LC_ROOT_MODULE, "", "m", 2},
        {"self.id", LC_ROOT_SELF, "", "", 1},
        {"each.value.x", LC_ROOT_EACH, "", "value", 1},
        {"input", LC_ROOT_BAD, "input", "", 0},
        {"var[\"a\"]", LC_ROOT_BAD, "", "", 1},
    };
    lc_arena *arena = lc_arena_new();
    for (int i = 0; i < ROWS(rows); i++) {
        const lc_expr *e;
        lc_eval_error trouble;
        ck_assert(
            lc_expr_parse(&e, arena, lc_str_from_c(rows[i].text), (lc_source_pos){0}, &trouble));
        const lc_reference *ref = lc_expr_reference(e);
        ck_assert_msg(ref && ref->root == rows[i].root && lc_str_is(ref->type, rows[i].type) &&
                          lc_str_is(ref->name, rows[i].name) && ref->count == rows[i].steps &&
                          lc_str_is(ref->text, rows[i].text),
                      "%s", rows[i].text);
    }
    lc_arena_free(arena);
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("expression");
    TCase *tests = tcase_create("expression");
    ADD_ROWS(tests, template_values, templates);
    ADD_ROWS(tests, corner_values, corners);
    tcase_add_test(tests, marks_stay_where_they_are);
    tcase_add_test(tests, marks_reach_results);
    tcase_add_test(tests, depth_is_bounded);
    tcase_add_test(tests, growth_is_bounded);
    tcase_add_test(tests, references_are_classified);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
