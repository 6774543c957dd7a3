package highlight

import "strings"

// Keywords that families of languages share.
const (
	flow       = " if else for while do switch case default break continue return "
	cWords     = flow + "goto sizeof typedef struct union enum static const extern void int char short long float double signed unsigned inline volatile bool true false NULL nullptr "
	objects    = flow + "class interface extends implements new this super public private protected static final abstract import package try catch finally throw throws void int long short byte char float double boolean true false null instanceof enum "
	scripts    = flow + "function var let const class extends new this super import export from async await yield try catch finally throw typeof instanceof in of void delete true false null undefined static get set "
	typescript = scripts + "type interface enum implements declare namespace abstract private protected public readonly as keyof infer is any unknown never string number boolean object satisfies "
	goTemplate = " if else end range with define block template break continue return not and or eq ne lt le gt ge len index printf nil true false "
	atRules    = " @media @import @supports @keyframes @font-face @layer @container @use @include @mixin @extend @apply @property @page important "
	literals   = " true false null yes no on off "
)

// languages are the grammars, the most usual first.
var languages = []grammar{
	{names: " js javascript jsx mjs cjs node ", as: asCode, line: "//", block: [2]string{"/*", "*/"}, quotes: "\"'`", multi: "`", inner: "$", keywords: scripts},
	{names: " ts typescript tsx mts cts ", as: asCode, line: "//", block: [2]string{"/*", "*/"}, quotes: "\"'`", multi: "`", inner: "$", keywords: typescript},
	{names: " html htm xhtml vue vue-html svelte astro ", as: asMarkup, script: "js"},
	{names: " go-html-template go-template gohtml gotmpl gotemplate handlebars hbs mustache jinja jinja2 twig django liquid ", as: asMarkup, script: "js", keywords: goTemplate},
	{names: " xml svg xsd xsl plist mathml rss wsdl ", as: asMarkup},
	{names: " css ", as: asCode, block: [2]string{"/*", "*/"}, quotes: `"'`, sigils: "@$#", inner: "-", keywords: atRules, keys: ":"},
	{names: " scss sass less styl stylus ", as: asCode, line: "//", block: [2]string{"/*", "*/"}, quotes: `"'`, sigils: "@$#", inner: "-", keywords: atRules, keys: ":"},
	{names: " json json5 jsonc jsonl ndjson ", as: asCode, line: "//", block: [2]string{"/*", "*/"}, quotes: `"'`, keywords: literals, keys: ":"},
	{names: " yaml yml ", as: asCode, line: "#", quotes: `"'`, inner: "-./", keywords: literals, keys: ":"},
	{names: " toml ini cfg conf properties dotenv env editorconfig desktop systemd ", as: asPairs, line: "# ;", quotes: `"'`, triple: true, inner: "-.", keywords: literals, keys: "="},
	{names: " sh bash shell zsh fish ksh sh-vue ", as: asCode, line: "#", quotes: "\"'`", multi: "\"'`", sigils: "$", inner: "-", keywords: " if then else elif fi for while until do done case esac in function return exit export local readonly set unset source alias echo cd sudo true false "},
	{names: " console shell-session shellsession terminal bash-session pycon doscon ", as: asConsole},
	{names: " diff patch udiff ", as: asDiff},
	{names: " md markdown mdx rst ", as: asMarkdown},
	{names: " rust rs ", as: asCode, line: "//", block: [2]string{"/*", "*/"}, quotes: `"'`, multi: `"`, lifetime: true, keywords: " as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self Self static struct super trait true type union unsafe use where while bool char str i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64 "},
	{names: " go golang ", as: asCode, line: "//", block: [2]string{"/*", "*/"}, quotes: "\"'`", multi: "`", keywords: " break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var true false nil iota any bool byte error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 uint64 uintptr "},
	{names: " python py python3 py3 ipython starlark bazel ", as: asCode, line: "#", quotes: `"'`, triple: true, sigils: "@", keywords: " and as assert async await break class continue def del elif else except False finally for from global if import in is lambda match None nonlocal not or pass raise return self True try while with yield "},
	{names: " java ", as: asCode, line: "//", block: [2]string{"/*", "*/"}, quotes: `"'`, triple: true, sigils: "@", keywords: objects + "record sealed permits var yield synchronized volatile transient native default assert "},
	{names: " kotlin kt kts ", as: asCode, line: "//", block: [2]string{"/*", "*/"}, quotes: `"'`, triple: true, sigils: "@", keywords: " as break by catch class companion constructor continue data do else enum false finally for fun if import in init interface internal is lateinit null object open operator override package private protected public return sealed super suspend this throw true try typealias val var when while "},
	{names: " scala ", as: asCode, line: "//", block: [2]string{"/*", "*/"}, quotes: `"'`, triple: true, lifetime: true, keywords: objects + "def val var object trait with match given using then end lazy override sealed implicit type yield "},
	{names: " groovy gradle jenkinsfile ", as: asCode, line: "//", block: [2]string{"/*", "*/"}, quotes: `"'`, triple: true, keywords: objects + "def as in trait assert "},
	{names: " c h objc objective-c objectivec arduino ", as: asCode, line: "//", block: [2]string{"/*", "*/"}, quotes: `"'`, sigils: "#@", keywords: cWords + "#include #define #if #ifdef #ifndef #endif #else #pragma @interface @implementation @end @property self nil id YES NO "},
	{names: " cpp c++ cc cxx hpp cuda ", as: asCode, line: "//", block: [2]string{"/*", "*/"}, quotes: `"'`, sigils: "#", keywords: cWords + "#include #define #if #ifdef #ifndef #endif #else #pragma class public private protected virtual override final template typename namespace using new delete this auto constexpr consteval constinit noexcept operator friend try catch throw concept requires co_await co_return co_yield explicit mutable decltype static_cast dynamic_cast reinterpret_cast const_cast export import module "},
	{names: " csharp cs c# razor ", as: asCode, line: "//", block: [2]string{"/*", "*/"}, quotes: `"'`, triple: true, sigils: "#", keywords: objects + "using namespace var string object bool decimal async await get set init out ref params readonly override virtual sealed partial record struct is as in foreach lock base internal delegate event where select yield nameof "},
	{names: " fsharp fs f# ocaml ml ", as: asCode, line: "//", block: [2]string{"(*", "*)"}, quotes: `"`, keywords: " let rec in match with function fun type module open if then else elif for while do done begin end try raise of mutable new true false val sig struct and or not namespace member async return yield use "},
	{names: " swift ", as: asCode, line: "//", block: [2]string{"/*", "*/"}, quotes: `"`, triple: true, sigils: "@#", keywords: flow + "func var let class struct enum protocol extension import guard in is as self Self super init deinit throws throw try catch async await public private internal fileprivate open static override mutating nil true false some any where repeat defer inout actor typealias associatedtype "},
	{names: " dart ", as: asCode, line: "//", block: [2]string{"/*", "*/"}, quotes: `"'`, triple: true, sigils: "@", keywords: objects + "var dynamic late required async await yield mixin with on factory get set is as in operator export part show hide typedef "},
	{names: " php ", as: asCode, line: "// #", block: [2]string{"/*", "*/"}, quotes: `"'`, multi: `"'`, sigils: "$", fold: true, keywords: flow + "function class interface trait extends implements new public private protected static abstract final namespace use echo print foreach as try catch finally throw fn match readonly enum null true false and or xor require include require_once include_once global yield "},
	{names: " ruby rb erb crystal ", as: asCode, line: "#", quotes: "\"'`", sigils: "@:$", inner: "?!", keywords: " alias and begin break case class def defined? do else elsif end ensure false for if in include module next nil not or private protected public raise redo rescue require require_relative retry return self super then true undef unless until when while yield attr_accessor attr_reader "},
	{names: " perl pl ", as: asCode, line: "#", quotes: `"'`, sigils: "$@%", keywords: " my our local sub use package return if elsif else unless while until for foreach last next redo do eval die print undef require no and or not eq ne lt gt le ge "},
	{names: " lua luau ", as: asCode, line: "--", block: [2]string{"--[[", "]]"}, quotes: `"'`, keywords: " and break do else elseif end false for function goto if in local nil not or repeat return then true until while "},
	{names: " r rlang ", as: asCode, line: "#", quotes: `"'`, inner: ".", keywords: " if else for while repeat function return break next in TRUE FALSE NULL NA Inf NaN library require "},
	{names: " julia jl ", as: asCode, line: "#", block: [2]string{"#=", "=#"}, quotes: `"`, triple: true, sigils: "@", inner: "!", keywords: " function end if elseif else for while return using import module struct mutable abstract type const let begin do try catch finally throw true false nothing where in isa macro quote export global local "},
	{names: " elixir ex exs ", as: asCode, line: "#", quotes: `"'`, triple: true, sigils: ":@", inner: "?!", keywords: " def defp defmodule defmacro defstruct do end fn if else unless case cond with when use import alias require raise rescue try catch after for in and or not nil true false receive "},
	{names: " erlang erl ", as: asCode, line: "%", quotes: `"'`, keywords: " after begin case catch end fun if of receive try when and or not andalso orelse div rem true false "},
	{names: " haskell hs elm purescript ", as: asCode, line: "--", block: [2]string{"{-", "-}"}, quotes: `"`, inner: "'", keywords: " case class data deriving do else if import in infix infixl infixr instance let module newtype of then type where qualified as hiding forall True False exposing port "},
	{names: " clojure clj lisp scheme racket elisp common-lisp ", as: asCode, line: ";", quotes: `"`, multi: `"`, sigils: ":", inner: "-?!*+/<>=", keywords: " def defn defmacro defun define let lambda fn if cond case do loop recur when unless nil true false ns require import quote setq begin "},
	{names: " zig ", as: asCode, line: "//", quotes: `"'`, sigils: "@", keywords: flow + "const var fn pub struct enum union error try catch defer errdefer comptime inline test null undefined true false usize u8 u32 u64 i32 i64 void bool orelse and or export extern "},
	{names: " nim ", as: asCode, line: "#", quotes: `"'`, triple: true, keywords: " proc func method iterator template macro var let const type object enum if elif else case of for while return result import from export include nil true false and or not in is try except finally raise discard yield "},
	{names: " sql mysql postgresql postgres psql plsql plpgsql sqlite tsql cql hql ", as: asCode, line: "-- #", block: [2]string{"/*", "*/"}, quotes: "\"'`", multi: "'", fold: true, keywords: " select from where and or not null is in like between insert into values update set delete create table index view database schema alter add drop column constraint primary key foreign references unique default check on as join left right inner outer full cross union all distinct group by order having limit offset asc desc case when then else end exists if begin commit rollback transaction grant revoke to with returning using int integer bigint smallint varchar char text date datetime timestamp time boolean decimal float double auto_increment show explain analyze use partition over true false truncate replace "},
	{names: " graphql gql ", as: asCode, line: "#", quotes: `"`, triple: true, sigils: "$@", keywords: " query mutation subscription fragment on type input enum interface union scalar schema extend implements directive true false null "},
	{names: " proto protobuf proto3 thrift ", as: asCode, line: "//", block: [2]string{"/*", "*/"}, quotes: `"'`, keywords: " syntax package import option message enum service rpc returns oneof map repeated optional required reserved extend stream string bytes bool int32 int64 uint32 uint64 sint32 sint64 fixed32 fixed64 float double true false struct "},
	{names: " hcl terraform tf nomad ", as: asCode, line: "# //", block: [2]string{"/*", "*/"}, quotes: `"`, inner: "-", keywords: " resource data variable output module provider terraform locals true false null for in if dynamic ", keys: "="},
	{names: " nix ", as: asCode, line: "#", block: [2]string{"/*", "*/"}, quotes: `"`, multi: `"`, inner: "-'", keywords: " let in with rec inherit if then else assert or import true false null ", keys: "="},
	{names: " dockerfile docker containerfile ", as: asCode, line: "#", quotes: `"'`, sigils: "$", keywords: " FROM RUN CMD LABEL EXPOSE ENV ADD COPY ENTRYPOINT VOLUME USER WORKDIR ARG ONBUILD STOPSIGNAL HEALTHCHECK SHELL AS MAINTAINER "},
	{names: " makefile make mk cmake meson ninja ", as: asCode, line: "#", quotes: `"'`, sigils: "$", inner: "-", keywords: " ifeq ifneq ifdef ifndef else endif include define endef export override if elseif foreach function macro set add_executable add_library target_link_libraries find_package project "},
	{names: " nginx nginxconf apache apacheconf caddy caddyfile ", as: asCode, line: "#", quotes: `"'`, sigils: "$@", inner: "-", keywords: " server location upstream listen server_name root index proxy_pass proxy_set_header return rewrite if include http events try_files ssl_certificate ssl_certificate_key add_header reverse_proxy file_server handle route tls header encode on off "},
	{names: " powershell ps ps1 pwsh ", as: asCode, line: "#", block: [2]string{"<#", "#>"}, quotes: `"'`, multi: `"'`, sigils: "$", inner: "-", fold: true, keywords: " function param if else elseif foreach for while do switch return try catch finally throw begin process end in break continue filter class enum using import-module set-location get-childitem write-host "},
	{names: " bat batch cmd dosbatch ", as: asCode, line: "REM rem ::", quotes: `"`, sigils: "%", fold: true, keywords: " echo set if else for in do goto call exit off cd del copy move mkdir not exist defined errorlevel pause start "},
	{names: " vb vbnet vba basic ", as: asCode, line: "'", quotes: `"`, fold: true, keywords: " dim as if then else elseif end sub function for each next while do loop select case return new class public private imports module true false nothing and or not string integer boolean byval byref "},
	{names: " solidity sol ", as: asCode, line: "//", block: [2]string{"/*", "*/"}, quotes: `"'`, keywords: flow + "pragma solidity contract interface library import function modifier event emit struct enum mapping address uint uint256 int bool string bytes public private internal external view pure payable memory storage calldata returns require revert constructor new this true false using is override virtual "},
	{names: " wat wasm asm assembly nasm ", as: asCode, line: ";", quotes: `"'`, sigils: "$%", keywords: " module func param result local export import memory table global i32 i64 f32 f64 mov push pop call ret jmp add sub mul div cmp "},
}

// find is the grammar of a language by any of its names, nil for one that is not
// known.
func find(language string) *grammar {
	language = strings.ToLower(language)
	for i := range languages {
		if has(languages[i].names, language) {
			return &languages[i]
		}
	}
	return nil
}
